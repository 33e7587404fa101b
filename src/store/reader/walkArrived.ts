import type { Reader } from '../connect/Reader.ts'
import { QueryTooCostlyError } from '../errors.ts'
import { queryBuilder } from '../queryBuilder.ts'
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

/** How many transactions of the destination are looked at: more and more, until the page is sure. */
const LENGTHS = [50, 500, 5000, 50_000]

/**
 * Messages to an account with a long history, of which only the order of its transactions is known. Downwards a message is in its
 * place when all transactions after it have been seen: those further down received what is older. Upwards one may come later, but not
 * by more than messages are under way.
 */
export const walkArrived = async (reader: Reader, search: Search, page: Page): Promise<MessageRow[]> => {
  if (placesOf(search.question).external || search.order === 'time') {
    throw new QueryTooCostlyError(
      'The destination has too many transactions for this order. Give start_lt and end_lt, or exclude_externals=true without times.',
    )
  }
  for (const length of LENGTHS) {
    const longer: Search = { ...search, lead: { kind: 'arrived', length } }
    const query = arrivedPageQuery(longer, page)
    if (query === undefined) return []
    const rows = await reader.read(query.compile(queryBuilder))
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
