// Starts `rung lsp` for Modelica files.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate() {
  const settings = vscode.workspace.getConfiguration("rung");
  const args = ["lsp"];
  for (const folder of settings.get("libraries")) args.push("--library", folder);
  client = new LanguageClient(
    "rung",
    "rung",
    { command: settings.get("program"), args },
    { documentSelector: [{ language: "modelica" }] }
  );
  await client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
