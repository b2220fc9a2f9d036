// What the inspector calls the request is what was sent; what it calls the response is what came.
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects((dialect) => {
  test("request, response, state and tool of one run", async ({ person, page, workspace }) => {
    await person.say("List the Python files in the current directory");
    await person.allow();
    await person.rests();

    const request = await person.inspect("Request");
    await request.getByRole("button", { name: "Raw", exact: true }).click();
    await expect(request).toContainText(person.requests()[1].postData());
    await expect(request).toContainText(new URL(person.requests()[1].url()).pathname);
    await expect(request).toContainText("content-type");

    const response = await person.inspect("Response");
    await expect(response).toContainText("200");
    // The practice model answers the same request with the same bytes.
    const second = person.requests()[1];
    const { "content-type": type, "x-api-key": key = "", authorization = "" } = await second.allHeaders();
    const again = await fetch(second.url(), {
      method: "POST",
      headers: { "content-type": type, ...(key ? { "x-api-key": key } : { authorization }) },
      body: second.postData(),
    });
    const lines = (await again.text()).trim().split("\n").filter((line) => line !== "");
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) await expect(response).toContainText(line);

    const state = await person.inspect("State");
    await expect(state).toContainText(/turn_count\W*2\b/);

    const tool = await person.inspect("Tool");
    await expect(tool).toContainText("find . -maxdepth 1 -type f -name '*.py' | sort");
    await expect(tool).toContainText("./app.py");
    await expect(tool).toContainText("exit code 0");

    const tokenOf = new URL(page.url()).hash;
    expect(tokenOf).toBe("");
    expect(dialect.name === "Messages" ? person.modelCalls()[0].system : person.modelCalls()[0].messages[0].content).toContain(
      workspace.path,
    );
  });
});
