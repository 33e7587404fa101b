import type { Static, TSchema } from 'typebox'
import { fromBase64, toBase64Url } from '../../primitives/base64.ts'
import { ParseError } from '../../primitives/errors.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { boundReader, ReadDeadline } from '../../store/connect/readers.ts'
import {
  CursorRefusedError,
  DatabaseConflictError,
  DatabaseUnavailableError,
  DistributionChangedError,
} from '../../store/errors.ts'
import type { Cursor, KeyValue } from '../../store/reader/page.ts'
import type { Endpoint } from '../core/Endpoint.ts'
import type { ParamTable, ParsedOf } from '../core/params.ts'
import { AnswerBudget } from './AnswerBudget.ts'
import { RefusedRequestError } from './errors.ts'
import { answerAfter, readSeenSeqno, seenHeaders } from './seenSeqno.ts'
import {
  actionHeaders,
  type GivenOptions,
  MAX_TIMEOUT_MS,
  optionParams,
  type RequestOptions,
  readOptions,
  type V3Context,
  type V3Parts,
} from './V3Context.ts'

// The first letter is the type of a value; its text follows.
const writeValue = (value: KeyValue): string => {
  if (typeof value === 'bigint') return `n${value}`
  if (typeof value === 'number') return `i${value}`
  return typeof value === 'string' ? `t${value}` : `b${toHex(value)}`
}

const readValue = (text: unknown): KeyValue => {
  if (typeof text !== 'string') throw new ParseError('a value', typeof text)
  const rest = text.slice(1)
  switch (text[0]) {
    case 'n':
      if (/^-?[0-9]{1,80}$/.test(rest)) return BigInt(rest)
      break
    case 'i':
      if (/^-?[0-9]{1,10}$/.test(rest)) return Number(rest)
      break
    case 't':
      return rest
    case 'b':
      return fromHex(rest)
  }
  throw new ParseError('a value', text)
}

/** An opaque cursor: a position in a list. */
const formatCursor = ({ order, key }: Cursor): string =>
  toBase64Url(new TextEncoder().encode(JSON.stringify([order, ...key.map(writeValue)])))

/** Parses a cursor of {@link formatCursor}. */
const parseCursor = (text: string): Cursor => {
  try {
    const values: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(text)))
    if (!Array.isArray(values) || typeof values[0] !== 'string') throw new ParseError('a list', text)
    return { order: values[0], key: values.slice(1).map(readValue) }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof ParseError)) throw error
    throw new RefusedRequestError('cursor is not one that this interface gave out', { cause: error })
  }
}

type OptionParams = typeof optionParams

type Definition<P extends ParamTable, R extends TSchema, Name extends string> = Omit<
  Endpoint<V3Parts, P, R, Name>,
  'handle'
> & { handle(context: V3Context, params: ParsedOf<P>): Promise<Static<R>> }

/** Defines a v3 endpoint: GET by default, with the common options. */
export const v3Endpoint = <const Name extends string, P extends ParamTable, R extends TSchema>({
  handle,
  ...definition
}: Definition<P, R, Name>): Endpoint<V3Parts, P & OptionParams, R, Name> => ({
  methods: ['GET'],
  ...definition,
  params: { ...definition.params, ...optionParams },
  headers: { ...seenHeaders, ...('supported_action_types' in definition.params && actionHeaders) },
  handle: (parts, params) => {
    const seen = readSeenSeqno(parts.call)
    const needsNode = definition.needsNode === true
    const options = readOptions(parts.call.headers, params as GivenOptions)
    const answer = (own: V3Parts): Promise<Static<R>> =>
      runEndpoint(handle, own, params as unknown as ParsedOf<P>, options)
    const answerFrom = (own: V3Parts): Promise<Static<R>> =>
      seen === undefined ? answer(own) : answerAfter(seen, own, needsNode, options.timeoutMs, answer)
    return needsNode
      ? answerFrom(parts)
      : answerFrom(parts).catch((error: unknown) => answerFrom(askAgain(error, parts)))
  },
})

/**
 * A replica that went away, or gave up a query to go on replaying, does not fail the request: another server answers it. Nor do tables
 * that were distributed over a cluster meanwhile.
 */
const askAgain = (error: unknown, { readAgain, server, call }: V3Parts): V3Parts => {
  const isLeft = error instanceof DatabaseUnavailableError || error instanceof DatabaseConflictError
  if (error instanceof DistributionChangedError || (server.isReplica && isLeft)) return readAgain(call)
  throw error
}

const runEndpoint = <P extends ParamTable, R extends TSchema>(
  handle: Definition<P, R, string>['handle'],
  parts: V3Parts,
  params: ParsedOf<P>,
  options: RequestOptions,
): Promise<Static<R>> => {
  const { call } = parts
  const deadline = options.timeoutMs < MAX_TIMEOUT_MS ? new ReadDeadline(options.timeoutMs) : undefined
  // Member by member rather than by spread, for speed: see decision 16.
  const context: V3Context = {
    listReads: deadline === undefined ? parts.listReads : boundReader(parts.listReads, deadline),
    keyedReads: deadline === undefined ? parts.keyedReads : boundReader(parts.keyedReads, deadline),
    decoder: parts.decoder,
    transactionTexts: parts.transactionTexts,
    budget: new AnswerBudget(parts.decoder, call),
    pending: parts.pending,
    v2: parts.v2,
    settings: parts.settings,
    call,
    options,
    readPage: ({ limit, offset, cursor }) => ({
      limit,
      offset,
      after: cursor === undefined ? undefined : parseCursor(cursor),
    }),
    tellNext: (next) => {
      if (next !== undefined) call.trace.headers = { ...call.trace.headers, 'x-next-cursor': formatCursor(next) }
    },
  }
  const result = handle(context, params)
  const hasCursor = (params as { readonly cursor?: unknown }).cursor !== undefined
  return hasCursor ? result.catch(refuseForged) : result
}

/** A forged cursor has values that do not fit its columns: the database refuses it. */
const refuseForged = (error: unknown): never => {
  if (isValueError(error)) throw new CursorRefusedError()
  throw error
}

// SQLSTATE: malformed or out-of-range values, binary values of a wrong length, undefined operators.
const isValueError = (error: unknown): boolean =>
  error instanceof Error &&
  'severity' in error &&
  /^(22|08P01|42883|42804)/.test(String((error as { code?: unknown }).code))
