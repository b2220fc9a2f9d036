// What no test may produce: uncaught exceptions, console errors of ours, reports of the page's policy, and requests to
// anybody the person did not name.

// Chromium writes these itself for every failed request and socket; they are no complaint of the page.
const chromiums = [/^Failed to load resource: /, /^WebSocket connection to '[^']*' failed/];

/** Listens to every page of `context`; `friends` is the set of origins that may be spoken to. */
export async function listenForComplaints(context, friends) {
  const complaints = [];
  const watch = (page) => {
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error}`));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on("console", (message) => {
      const ours = message.type() === "error" && !chromiums.some((pattern) => pattern.test(message.text()));
      if (ours) complaints.push(`console: ${message.text()}`);
    });
  };
  context.pages().forEach(watch);
  context.on("page", watch);
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    const local = protocol === "data:" || protocol === "blob:";
    if (!local && !friends.has(origin)) complaints.push(`request to ${request.url()}`);
  });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return complaints;
}
