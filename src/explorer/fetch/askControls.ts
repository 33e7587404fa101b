import type { ClientOf } from '../../api/core/createClient.ts'
import type { dev } from '../../api/dev/index.ts'
import { AskError } from './AskError.ts'
import { type Arguments, askServer } from './askServer.ts'

type Controls = ClientOf<typeof dev>

const read: ReadonlySet<string> = new Set(['status', 'log'])

/** Asks the controls of the embedded network, or has them do something. */
export const askControls = async <N extends keyof Controls>(
  name: N,
  args: NonNullable<Parameters<Controls[N]>[0]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Controls[N]>>> => {
  const method = read.has(name) ? 'GET' : 'POST'
  const ask = () => askServer(`/dev/${name}`, args as Arguments, { method, signal, headers: tokenHeaders() })
  const { body } = await ask().catch((error: unknown) => {
    // Only where somebody has pressed a button, and not each time that a page looks.
    if (!(error instanceof AskError && error.status === 401 && method === 'POST' && enterToken())) throw error
    return ask()
  })
  return (body as { readonly result: Awaited<ReturnType<Controls[N]>> }).result
}

/** Where a service is open to other machines, its controls need a token. It is kept for as long as the window is open. */
const TOKEN_KEY = 'chaincenter.controlsToken'

const tokenHeaders = (): { readonly [name: string]: string } => {
  const token = sessionStorage.getItem(TOKEN_KEY)
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

/** Whether somebody has entered one. */
const enterToken = (): boolean => {
  const token = window.prompt('The controls of this network need their token (--controls-token):')?.trim()
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) return false
  sessionStorage.setItem(TOKEN_KEY, token)
  return true
}
