import { Type } from 'typebox'
import type { Call } from '../core/Call.ts'
import { optional, param, shownAs } from '../core/Param.ts'
import { readBool } from './params.ts'

/** What a caller may say beside any question. */
export type RequestOptions = {
  readonly withAddressBook: boolean
  readonly withMetadata: boolean
  /** How long the database may take for all that the answer is made of. */
  readonly timeoutMs: number
  /** Stands in for `supported_action_types`. */
  readonly actionsVersion: string | undefined
}

/** The longest that a caller can have the database work for him. */
export const MAX_TIMEOUT_MS = 3000

const lenient = (shown: ReturnType<typeof Type.Boolean> | ReturnType<typeof Type.Integer>) =>
  optional(
    shownAs(
      param(Type.Unknown(), (wire) => wire),
      shown,
    ),
  )

/** Each is a header, too, which comes before it. What cannot be read is as if it had not been said. */
export const optionParams = {
  x_no_address_book: lenient(
    Type.Boolean({
      description: 'Leaves the address book empty; also the header X-No-Address-Book.',
      default: false,
    }),
  ),
  x_no_metadata: lenient(
    Type.Boolean({ description: 'Leaves the metadata empty; also the header X-No-Metadata.', default: false }),
  ),
  x_timeout: lenient(
    Type.Integer({
      description: `How many milliseconds the database may take for the whole answer, ${MAX_TIMEOUT_MS} at most; also the header X-Timeout. Where that is too short the status is 504.`,
    }),
  ),
} as const

/** What questions about actions know besides. */
export const actionHeaders = {
  'X-Actions-Version': Type.String({
    description: 'One type of actions, or a shortcut for some, in place of supported_action_types.',
    examples: ['latest'],
  }),
} as const

export const readOptions = ({ headers, query }: Call): RequestOptions => {
  const find = <T>(name: string, read: (text: string) => T | undefined): T | undefined => {
    const header = headers[`x-${name}`]
    const given = typeof header === 'string' ? header : query[`x_${name.replaceAll('-', '_')}`]?.at(-1)
    return given === undefined ? undefined : read(given)
  }
  const version = headers['x-actions-version']
  return {
    withAddressBook: find('no-address-book', readFlag) !== true,
    withMetadata: find('no-metadata', readFlag) !== true,
    timeoutMs: find('timeout', readTimeout) ?? MAX_TIMEOUT_MS,
    actionsVersion: typeof version === 'string' && version !== '' ? version : undefined,
  }
}

const readFlag = (text: string): boolean | undefined => {
  try {
    return readBool(text)
  } catch {
    return undefined
  }
}

const readTimeout = (text: string): number | undefined =>
  /^[0-9]{1,10}$/.test(text) ? Math.min(MAX_TIMEOUT_MS, Math.max(1, Number(text))) : undefined
