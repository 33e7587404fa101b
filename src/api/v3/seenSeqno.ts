import { Type } from 'typebox'
import type { Call } from '../core/Call.ts'
import { RefusedRequestError } from './errors.ts'
import type { V3Parts } from './V3Context.ts'

const MAX_SEQNO = 2 ** 32 - 1

/** Request header of every endpoint. The response has it, too, if the request had it. */
export const seenHeaders = {
  'X-Seen-Seqno': Type.Integer({
    description:
      'Newest masterchain block that the caller has seen: the response comes from an index that has it. The status is 503, with ' +
      'Retry-After, if no server has it in time. Begin with 0, and send what the last response has in its header X-Seen-Seqno.',
    minimum: 0,
    maximum: MAX_SEQNO,
  }),
} as const

/** The block that a caller has seen; `undefined` if it does not say. */
export const readSeenSeqno = ({ headers }: Pick<Call, 'headers'>): number | undefined => {
  const text = headers['x-seen-seqno']
  if (text === undefined) return undefined
  if (typeof text === 'string' && /^[0-9]{1,10}$/.test(text) && Number(text) <= MAX_SEQNO) return Number(text)
  throw new RefusedRequestError('X-Seen-Seqno must be the seqno of a masterchain block')
}

/** Answers from a server that has the block, after at most `waitMs`, and says in a header which one the caller has seen then. */
export const answerAfter = async <T>(
  seqno: number,
  given: V3Parts,
  needsNode: boolean,
  waitMs: number,
  answer: (parts: V3Parts) => Promise<T>,
): Promise<T> => {
  const { call } = given
  // A node answers for itself, and a message is sent however far the index is.
  const isThere = needsNode || (given.server.findHead()?.seqno ?? 0) >= seqno
  const parts = isThere ? given : await moveTo(seqno, waitMs, given)
  const result = await answer(parts)
  // The rows may be newer than the head that was known before they were read. What was sent may have been found on any server.
  const newest = Math.max(seqno, await parts.server.readNewest(needsNode ? 'any' : 'this'))
  call.trace.headers = { ...call.trace.headers, 'x-seen-seqno': String(newest) }
  return result
}

const moveTo = (seqno: number, waitMs: number, { call, moveTo: move }: V3Parts): Promise<V3Parts> =>
  move(call, seqno, { waitMs, isEnded: () => call.isEnded?.() ?? call.signal.aborted })
