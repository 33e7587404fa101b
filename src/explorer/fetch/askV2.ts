import type { ClientOf } from '../../api/core/createClient.ts'
import type { v2 } from '../../api/v2/index.ts'
import { type Arguments, askServer } from './askServer.ts'

type V2 = ClientOf<typeof v2>

export type V2Result<N extends keyof V2> = Awaited<ReturnType<V2[N]>>

const posted: ReadonlySet<string> = new Set(['runGetMethod', 'runGetMethodStd', 'sendBocReturnHash'])

/** Asks the live interface. */
export const askV2 = async <N extends keyof V2>(
  name: N,
  args: NonNullable<Parameters<V2[N]>[0]>,
  signal?: AbortSignal,
): Promise<V2Result<N>> => {
  const method = posted.has(name) ? 'POST' : 'GET'
  const { body } = await askServer(`/api/v2/${name}`, args as Arguments, { method, signal })
  return (body as { readonly result: V2Result<N> }).result
}
