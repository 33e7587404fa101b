import type { ClientOf } from '../../api/core/createClient.ts'
import type { v3 } from '../../api/v3/index.ts'
import { learnAddresses } from '../model/addressBook.ts'
import { type Arguments, askServer } from './askServer.ts'

type V3 = ClientOf<typeof v3>

/** What an endpoint of the indexed interface answers. */
export type V3Result<N extends keyof V3> = Awaited<ReturnType<V3[N]>>
export type V3Arguments<N extends keyof V3> = NonNullable<Parameters<V3[N]>[0]>

export type V3Answer<N extends keyof V3> = {
  readonly result: V3Result<N>
  /** Goes on after this page; absent where it is the last. */
  readonly cursor: string | undefined
  /** The newest block in the index. */
  readonly seqno: number | undefined
  /** How old that block is. */
  readonly lagMs: number | undefined
}

const posted: ReadonlySet<string> = new Set(['runGetMethod', 'message'])

export const askV3 = async <N extends keyof V3>(
  name: N,
  args: V3Arguments<N>,
  signal?: AbortSignal,
): Promise<V3Answer<N>> => {
  const method = posted.has(name) ? 'POST' : 'GET'
  const { body, headers } = await askServer(`/api/v3/${name}`, args as Arguments, { method, signal })
  const result = body as V3Result<N>
  learnAddresses(result)
  return {
    result,
    cursor: headers.get('x-next-cursor') ?? undefined,
    seqno: readNumber(headers.get('x-indexed-seqno')),
    lagMs: readNumber(headers.get('x-indexed-lag-ms')),
  }
}

const readNumber = (text: string | null): number | undefined => (text === null ? undefined : Number(text))
