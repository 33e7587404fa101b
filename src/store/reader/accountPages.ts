import type { CompiledQuery } from 'kysely'
import { joinReads } from '../connect/joinReads.ts'
import { keyText } from './keyText.ts'
import { pagesByLength } from './pagesByLength.ts'
import { rawQuery } from './rawQuery.ts'
import type { TransactionRow } from './TransactionRecord.ts'
import type { LtWindow } from './timeWindow.ts'

/** The first transactions of one account within windows. Both ends are included. */
export type AccountPage = {
  readonly account: Uint8Array
  readonly lt: LtWindow
  readonly fromTime: number
  readonly toTime: number
}

/** As many of each as the page takes: see {@link transactionsOfAccountsQuery}. */
export const accountPagesQuery = (
  pages: readonly AccountPage[],
  direction: 'asc' | 'desc',
  length: number,
): CompiledQuery<PlacedRow> =>
  rawQuery(
    `select w.place::integer as place, t.*
    from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::integer[], $5::integer[]) with ordinality
      as w(account, first_lt, last_lt, first_now, last_now, place)
    cross join lateral (
      select * from transactions as t
      where (t.account, t.lt) >= (w.account, w.first_lt) and (t.account, t.lt) <= (w.account, w.last_lt)
        and t.now >= w.first_now and t.now <= w.last_now
      order by t.account ${direction}, t.lt ${direction} limit ${Math.trunc(length)}
    ) as t`,
    [
      pages.map(({ account }) => account),
      pages.map(({ lt }) => lt.from),
      pages.map(({ lt }) => lt.to),
      pages.map(({ fromTime }) => fromTime),
      pages.map(({ toTime }) => toTime),
    ],
  )

type PlacedRow = TransactionRow & { readonly place: number }

const pageText = ({ account, lt, fromTime, toTime }: AccountPage): string =>
  `${keyText(account)} ${lt.from} ${lt.to} ${fromTime} ${toTime}`

/** So many of the first of each, in one statement with what others ask. */
export const readAccountPages = pagesByLength((direction, length) =>
  joinReads<AccountPage, PlacedRow>({
    queryOf: (pages) => accountPagesQuery(pages, direction, length),
    textOf: pageText,
    textOfRow: ({ place }, pages) => pageText(pages[place - 1]!),
  }),
)
