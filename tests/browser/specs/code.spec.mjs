// The loop as code: the line that is lit is the stage the loop is at. A request as code: what is copied can be run.
import { execFileSync, spawnSync } from "node:child_process";
import { expect, inBothDialects, test } from "../world/world.mjs";

inBothDialects((dialect) => {
  test("the lit line follows the steps, in Rust and in Python", async ({ person, page }) => {
    const code = await person.inspect("Code");
    const lit = code.locator("[aria-current=step]");
    await expect(code.getByRole("list", { name: "Rust", exact: true })).toContainText("pub async fn agent_loop");
    await expect(lit).toHaveCount(0);
    await person.box.fill("List the Python files in the current directory");
    await person.step();
    await expect(lit).toContainText("call_model(session, env, request)");
    await person.step();
    await expect(lit).toContainText("settle_tool_call(session, env, call)");
    const python = `Python · ${dialect.name}`;
    await code.getByRole("combobox", { name: "Program" }).selectOption(python);
    await expect(code.getByRole("list", { name: python, exact: true })).toContainText("def run_one_turn(state):");
    await expect(lit).toContainText(dialect.name === "Messages" ? "if answer.stop_reason" : "if not answer.tool_calls");
    await expect(page.getByRole("tab", { name: "Code", exact: true })).toHaveAttribute("aria-selected", "true");
  });

  test("a request copied for curl brings the same answer, and has no key in it", async ({ person, context, page }) => {
    test.skip(spawnSync("curl", ["--version"]).error !== undefined, "this machine has no curl");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await person.say("List the Python files in the current directory");
    await person.deny();
    await person.rests();
    const request = await person.inspect("Request");
    await request.getByRole("button", { name: "Earlier", exact: true }).click();
    const copies = request.getByRole("group", { name: "Copy as" });
    await copies.getByRole("button", { name: "curl", exact: true }).click();
    await expect(copies.getByText("Copied: curl")).toBeVisible();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const sent = person.requests()[0];
    const { "content-type": type, "x-api-key": bare, authorization } = await sent.allHeaders();
    const key = bare ?? authorization.replace("Bearer ", "");
    expect(key.length).toBeGreaterThan(20);
    expect(command).not.toContain(key);
    const env = { ...process.env, ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key };
    const answer = execFileSync("bash", ["-c", command], { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    // The practice model answers the same request with the same bytes.
    const again = await fetch(sent.url(), {
      method: "POST",
      headers: { "content-type": type, ...(bare ? { "x-api-key": bare } : { authorization }) },
      body: sent.postData(),
    });
    expect(answer).toBe(await again.text());
  });
});
