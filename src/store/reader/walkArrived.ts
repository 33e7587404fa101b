import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader } from '../connect/Reader.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { joinPages } from './joinPages.ts'
import type { MessageRow } from './MessageRow.ts'
import { placesOf } from './MessagesQuestion.ts'
import {
  arrivedExtentQuery,
  arrivedPageQuery,
  type Extent,
  MAX_UNDERWAY,
  type Search,
  tellsExtent,
} from './messageBranches.ts'
import type { Page } from './page.ts'
import { anyLt } from './timeWindow.ts'
import { MAX_WALKED } from './walkedQuery.ts'

/** How many transactions of the destination are looked at: more and more, until the page is sure. */
const LENGTHS = [25, 100, 500, 5000, 50_000]

/** Pages from so few are read together with those of others. */
const MAX_JOINED = 100

/**
 * Messages to an account with a long history, of which only the order of its transactions is known. Downwards a message is in its
 * place when all transactions after it have been seen: those further down received what is older. Upwards one may come later, but not
 * by more than messages are under way.
 */
export const walkArrived = async (reader: Reader, search: Search, page: Page): Promise<readonly MessageRow[]> => {
  if (placesOf(search.question).external || search.order === 'time') {
    throw new QueryTooCostlyError(
      'The destination has too many transactions for this order. Give start_lt and end_lt, or exclude_externals=true without times.',
    )
  }
  // Fewer than the page is long are worth no look, unless there are no more.
  for (const length of LENGTHS.filter((each) => each >= Math.min(search.depth, MAX_WALKED))) {
    const longer: Search = { ...search, lead: { kind: 'arrived', length } }
    const rows = await findRows(reader, longer, page)
    if (rows === undefined) return []
    const extent = await findExtent(reader, longer, rows)
    if (
      extent === undefined ||
      extent.count < length ||
      (rows.length > page.limit && isSure(rows.at(-1)!, extent, search))
    )
      return rows
  }
  throw new QueryTooCostlyError('The destination has too many transactions. Give start_lt and end_lt.')
}

type FoundRow = MessageRow & Partial<Extent>

/** The first page, where nothing is asked of messages but whom they came to. */
const readFirstPages = (side: 'in' | undefined, length: number) =>
  joinPages((destination, direction, limit) => {
    const question = { destination, side, time: {}, excludeExternals: true, onlyExternals: false, direction }
    const lead = { kind: 'arrived', length } as const
    const bounds = { lt: anyLt, time: {} }
    const search: Search = { question, bounds, lead, order: 'lt', after: undefined, afterOrder: 'lt', depth: limit }
    return arrivedPageQuery(search, { limit: limit - 1, offset: 0, after: undefined })!
  })

const readings = new Map(
  LENGTHS.filter((length) => length <= MAX_JOINED).flatMap((length) =>
    ([undefined, 'in'] as const).map((side) => [`${side} ${length}`, readFirstPages(side, length)]),
  ),
)

const findRows = async (reader: Reader, search: Search, page: Page): Promise<readonly FoundRow[] | undefined> => {
  const { question, after, bounds, lead } = search
  const { destination, side, direction } = question
  const isFirst = after === undefined && page.offset === 0
  const isPlain = [question.source, question.bodyHash, question.opcode].every((asked) => asked === undefined)
  const isOpen = bounds.lt.from === anyLt.from && bounds.lt.to === anyLt.to
  if (isFirst && isPlain && isOpen && lead.kind === 'arrived' && destination instanceof Uint8Array) {
    const read = readings.get(`${side} ${lead.length}`)?.(direction, page.limit + 1)
    if (read !== undefined) return (await read(reader, [destination])).toSorted(inOrder(direction))
  }
  return arrivedRows(reader, search, page)
}

const arrivedRows = async (reader: Reader, search: Search, page: Page): Promise<FoundRow[] | undefined> => {
  const query = arrivedPageQuery(search, page)
  return query && reader.read(query.compile(queryBuilder))
}

const inOrder =
  (direction: 'asc' | 'desc') =>
  (a: MessageRow, b: MessageRow): number => {
    const rising = a.created_lt === b.created_lt ? compareBytes(a.hash, b.hash) : a.created_lt! < b.created_lt! ? -1 : 1
    return direction === 'asc' ? rising : -rising
  }

const findExtent = async (
  reader: Reader,
  search: Search,
  [row]: readonly Partial<Extent>[],
): Promise<Extent | undefined> => {
  if (row !== undefined && tellsExtent(search)) return row as Extent
  // Later than the rows: what has come meanwhile makes it less sure, never more.
  return (await reader.read(arrivedExtentQuery(search).compile(queryBuilder)))[0]
}

const isSure = ({ created_lt }: MessageRow, { lowest, highest }: Extent, { question }: Search): boolean => {
  if (created_lt === null || lowest === null || highest === null) return false
  return question.direction === 'desc' ? created_lt >= lowest : created_lt <= highest - MAX_UNDERWAY
}
