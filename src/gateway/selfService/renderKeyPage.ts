export type KeyPage = {
  /** The key that was just made: it is shown here and never again. */
  readonly key: string | undefined
  readonly error: string | undefined
  readonly perSecond: number
  readonly network: string
}

/** A page of a few lines, readable everywhere and in the dark. */
export const renderKeyPage = ({ key, error, perSecond, network }: KeyPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API key</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>API key</h1>
${key === undefined ? renderOffer(perSecond, network) : renderKey(key)}
${error === undefined ? '' : `<p class="error" role="alert">${escapeHtml(error)}</p>`}
</main>
</body>
</html>
`

const renderOffer = (perSecond: number, network: string): string => `<p>A key of the free plan lets you ask
${perSecond} times a second instead of once. It is for the network <b>${escapeHtml(network)}</b>, and costs nothing.</p>
<form method="post" action="/keys"><button type="submit">Make a key</button></form>`

const renderKey = (key: string): string => `<p>This is your key. Keep it: it is shown only this once.</p>
<pre id="key" tabindex="0">${escapeHtml(key)}</pre>
<p>Send it with every request, as the header <code>X-API-Key</code>:</p>
<pre tabindex="0">curl -H 'X-API-Key: ${escapeHtml(key)}' …/api/v2/getMasterchainInfo</pre>`

const entities: { readonly [sign: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!)

const style = `:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif}
main{max-width:38rem;margin:10vh auto;padding:0 1rem}h1{font-size:1.5rem}
pre{padding:.75rem;border:1px solid;border-radius:.4rem;overflow-x:auto}.error{color:#c22}
button{font:inherit;padding:.6rem 1.2rem;border-radius:.4rem;cursor:pointer}`
