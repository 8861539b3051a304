// Before the library: without this it tries whether it may build code from text, which the policy of the page refuses.
globalThis.__zod_globalConfig = { jitless: true };

addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    // Nothing from another origin, nothing told to one.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    documentDownloadType: 'none',
    // A key stays in the page alone.
    persistAuth: false,
    hideDarkModeToggle: true,
    theme: 'none',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  });
});
