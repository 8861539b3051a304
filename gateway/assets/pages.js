// Pages work without it: it puts a button beside each block of code that copies it.
for (const figure of document.querySelectorAll('figure.code:not(.output)')) {
  const code = figure.querySelector('code');
  const caption = figure.querySelector('figcaption');
  if (!code || !caption || !navigator.clipboard) continue;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(code.textContent.trimEnd()).then(
      () => 'Copied',
      () => 'Select and copy',
    );
    button.textContent = copied;
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  caption.after(button);
  button.setAttribute('aria-live', 'polite');
}
