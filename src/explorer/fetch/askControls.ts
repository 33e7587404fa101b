import type { ClientOf } from '../../api/core/createClient.ts'
import type { dev } from '../../api/dev/index.ts'
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
  const { body } = await askServer(`/dev/${name}`, args as Arguments, { method, signal })
  return (body as { readonly result: Awaited<ReturnType<Controls[N]>> }).result
}
