// biome-ignore lint/suspicious/noExplicitAny: answers are looked into at every depth, and a wrong look fails the test
export type Json = any

export type V3Answer = { readonly status: number; readonly body: Json; readonly headers: Headers }

type Args = { readonly [name: string]: unknown }

const readAnswer = async (response: Response): Promise<V3Answer> => {
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
}

/** Asks by GET; lists are repeated. `base` ends in /api/v3. */
export const getV3 = async (
  base: string,
  name: string,
  args: Args = {},
  headers: Record<string, string> = {},
): Promise<V3Answer> => {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(args)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) query.append(key, String(each))
  }
  return readAnswer(await fetch(`${base}/${name}?${query}`, { headers }))
}

/** `body` is sent as it is where it is a text. */
export const postV3 = async (base: string, name: string, body: Args | string): Promise<V3Answer> =>
  readAnswer(
    await fetch(`${base}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
