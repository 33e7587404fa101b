import type { PlainAnswer, PlainRoute } from '../../api/core/PlainRoute.ts'
import { formatUpperRawAddress, parseAddressKey } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { createSemaphore } from '../../primitives/scheduling.ts'
import type { Database } from '../../store/connect/Database.ts'
import { MAX_PREFIX_LENGTH, searchComments, searchTokens } from '../../store/reader/search.ts'

const MAX_TOKENS = 6
const MAX_COMMENTS = 4
const TIMEOUT_MS = 1500
/** A search reads more than a lookup by key. */
const AT_ONCE = 4
/** Searches under way or waiting: more would not be answered in the time that anybody waits. */
const MAX_OPEN = 40

/** Names for the search box of the explorer: `/search?text=` finds tokens by name and symbol, and comments of the newest actions. */
export const searchRoute = (database: Pick<Database, 'reader'>): PlainRoute => {
  const slots = createSemaphore(AT_ONCE)
  let open = 0
  return {
    method: 'GET',
    path: '/search',
    answer: ({ query }) => {
      const text = (query['text']?.[0] ?? '').trim()
      if (text === '' || text.includes('\0') || text.length > MAX_PREFIX_LENGTH) {
        return answer(400, { error: `Expected a text of 1 to ${MAX_PREFIX_LENGTH} characters.` })
      }
      if (open >= MAX_OPEN) return answer(503, { error: 'Too many searches are under way. Retry later.' })
      open++
      return slots(() => search(database, text)).finally(() => {
        open--
      })
    },
  }
}

const search = async (database: Pick<Database, 'reader'>, text: string): Promise<PlainAnswer> => {
  try {
    const { listReads } = database.reader()
    const [tokens, comments] = await Promise.all([
      searchTokens(listReads, text, MAX_TOKENS, TIMEOUT_MS),
      searchComments(listReads, text, MAX_COMMENTS, TIMEOUT_MS),
    ])
    return answer(200, {
      tokens: tokens.map(({ address, type, name, symbol }) => ({ address: rawOf(address), type, name, symbol })),
      comments: comments.map(({ traceId, utime, comment }) => ({ trace: toHex(traceId), utime, comment })),
    })
  } catch (error) {
    if (error instanceof CodedError) return answer(503, { error: error.message })
    throw error
  }
}

const rawOf = (key: Uint8Array): string => {
  const address = parseAddressKey(key)
  return typeof address === 'string' ? '' : formatUpperRawAddress(address)
}

const answer = (status: number, body: unknown): PlainAnswer => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body: JSON.stringify(body),
})
