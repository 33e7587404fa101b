import type { Json } from './v3Client.ts'

export type { Json }

export type V2Answer = { readonly status: number; readonly body: Json; readonly headers: Headers }

type Args = { readonly [name: string]: unknown }

const readAnswer = async (response: Response): Promise<V2Answer> => {
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
}

export const getV2 = async (base: string, name: string, args: Args = {}): Promise<V2Answer> => {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(args)) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(key, String(each))
  }
  return readAnswer(await fetch(`${base}/${name}?${query}`))
}

/** `body` is sent as it is where it is a text. */
export const postV2 = async (base: string, name: string, body: Args | string = {}): Promise<V2Answer> =>
  readAnswer(
    await fetch(`${base}/${name}`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
  )

export const rpcV2 = (base: string, method: string, params: Args = {}): Promise<V2Answer> =>
  postV2(base, 'jsonRPC', { jsonrpc: '2.0', id: 7, method, params })
