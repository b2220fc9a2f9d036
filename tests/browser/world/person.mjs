// What a person does in the page and sees there. Everything is found by its role and its name, as a screen reader finds it.
import { expect } from "@playwright/test";

export class Person {
  #requests = [];

  constructor(page, dialect) {
    this.page = page;
    this.dialect = dialect;
    this.box = page.getByRole("textbox", { name: "Message", exact: true });
    this.list = page.getByRole("list", { name: "messages", exact: true });
    this.question = page.getByRole("alertdialog", { name: "Allow this command?" });
    this.toolCard = page.getByRole("group", { name: "You are the tool" });
    page.on("request", (request) => {
      if (request.method() === "POST") this.#requests.push(request);
    });
  }

  /** Opens the page by a link and waits until it can be used. */
  async open(link) {
    await this.page.goto(link);
    await this.isReady();
  }

  async isReady() {
    await expect(this.page.locator("body[data-ready]")).toBeAttached();
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  run = () => this.button("Run").click();
  step = () => this.button("Step").click();
  pause = () => this.button("Pause").click();
  stop = () => this.button("Stop").click();

  /** Sends words with Enter, and sees them arrive as the last user message. */
  async say(words) {
    const before = await this.list.getByRole("listitem", { name: /^messages\[\d+\] user$/ }).count();
    await this.box.fill(words);
    await this.box.press("Enter");
    await expect(this.list.getByRole("listitem", { name: /^messages\[\d+\] user$/ }).nth(before)).toBeVisible();
  }

  /** An entry of `messages`. */
  message(index, role) {
    return this.list.getByRole("listitem", { name: `messages[${index}] ${role}`, exact: true });
  }

  /** The entry that carries the results of a turn. */
  result(index) {
    return this.message(index, this.dialect.resultRole);
  }

  /** All entries, as `{ name, text }`. */
  messages() {
    return this.list.getByRole("listitem", { name: /^messages\[\d+\] / }).evaluateAll((items) =>
      items.map((item) => {
        const labels = (item.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id));
        const name = item.getAttribute("aria-label") ?? labels.map((label) => label?.textContent ?? "").join(" ");
        return { name, text: item.innerText };
      }),
    );
  }

  /** The names of all entries, in order. */
  async names() {
    return (await this.messages()).map(({ name }) => name);
  }

  /** Is asked whether exactly this may run. */
  async isAskedAbout(command) {
    await expect(this.question).toBeVisible();
    await expect(this.question.getByText(command, { exact: true })).toBeVisible();
  }

  isNotAsked() {
    return expect(this.question).toBeHidden();
  }

  /** Answers the question on show, and sees that question go. */
  async #answer(name) {
    await expect(this.question).toBeVisible();
    const asked = await this.question.elementHandle();
    await this.question.getByRole("button", { name, exact: true }).click();
    await expect.poll(async () => (await asked.isVisible().catch(() => false)) === false).toBe(true);
  }

  allow = () => this.#answer("Allow once");
  allowForThisSession = () => this.#answer("Allow for this session");
  deny = () => this.#answer("Deny");

  /** Nothing runs, and the page says why. */
  async rests(why = "The model stopped asking.") {
    await expect(this.page.getByText(why, { exact: true }).last()).toBeVisible({ timeout: 30_000 });
    await expect(this.button("Stop")).toBeDisabled();
  }

  /** The bridge's shell can be used. */
  hasShell() {
    return expect(this.page.getByText(/^ready in \//).first()).toBeVisible();
  }

  async chooseModel(id) {
    const model = this.page.getByRole("combobox", { name: "Model", exact: true });
    await model.selectOption(id);
    await expect(model).toHaveValue(id);
  }

  async chooseDialect(name) {
    await this.page.getByRole("combobox", { name: "Dialect" }).selectOption({ label: name });
  }

  async chooseHost(name) {
    await this.page.getByRole("combobox", { name: "Tool host" }).selectOption({ label: name });
  }

  /** Opens the settings, changes them, and closes them again. */
  async settings(change) {
    await this.button("Settings").click();
    const settings = this.page.getByRole("dialog", { name: "Settings" });
    await change(settings);
    await settings.getByRole("button", { name: "Done" }).click();
    await expect(settings).toBeHidden();
  }

  /** How often the model may be called for one message. */
  limit(calls) {
    return this.settings((settings) => settings.getByLabel("Model calls for one message").fill(String(calls)));
  }

  /** Opens a tab of the inspector; its panel. */
  async inspect(tab) {
    await this.page.getByRole("tab", { name: tab, exact: true }).click();
    return this.page.getByRole("tabpanel", { name: tab, exact: true });
  }

  /** The bodies of the model calls so far, as they left the browser. */
  modelCalls() {
    return this.#requests.map((request) => request.postDataJSON());
  }

  /** The model calls so far, whole. */
  requests() {
    return this.#requests;
  }
}
