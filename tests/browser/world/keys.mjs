// A person without a mouse: what is pressed, chosen or typed into is first reached with Tab, from wherever the focus is.
import { expect } from "@playwright/test";

export class Keys {
  constructor(page) {
    this.page = page;
  }

  /** Presses Tab until `target` has the focus; back, if it stands before it. */
  async to(target, key = "Tab") {
    await expect(target).toBeVisible();
    const hasFocus = () => target.evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 120; presses += 1) {
      if (await hasFocus()) return;
      await this.page.keyboard.press(key);
    }
    await expect(target).toBeFocused();
  }

  /** Reaches a button or a link and presses Enter. */
  async press(target) {
    await this.to(target);
    await this.page.keyboard.press("Enter");
  }

  /** Reaches a field and replaces what stands in it. */
  async type(field, text) {
    await this.to(field);
    await this.page.keyboard.press("ControlOrMeta+A");
    await this.page.keyboard.insertText(text);
  }

  /** Reaches a select and goes to its option with the arrow keys. */
  async choose(select, label) {
    await this.to(select);
    const chosen = () => select.evaluate((element) => element.selectedOptions[0]?.label);
    const matches = (shown) => (label instanceof RegExp ? label.test(shown) : shown === label);
    await this.page.keyboard.press("Home");
    for (let presses = 0; presses < 80 && !matches(await chosen()); presses += 1) {
      await this.page.keyboard.press("ArrowDown");
    }
    expect(matches(await chosen()), `${label} is among the choices`).toBe(true);
  }

  /** Where the focus is. */
  focused() {
    return this.page.locator(":focus");
  }
}
