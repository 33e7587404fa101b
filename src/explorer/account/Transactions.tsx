import { askV3 } from '../fetch/askV3.ts'
import { usePages } from '../live/usePages.ts'
import { SECOND } from '../live/usePolling.ts'
import { Card } from '../parts/Card.tsx'
import { LoadMore } from '../parts/LoadMore.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { TransactionRows } from '../parts/TransactionRows.tsx'

const PAGE = 25

export const Transactions = ({ raw }: { readonly raw: string }) => {
  const pages = usePages(
    `transactions of ${raw}`,
    async (cursor, signal) => {
      const args = { account: [raw], limit: PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await askV3('transactions', args, signal)
      return { rows: result.transactions, cursor: next }
    },
    { idOf: ({ hash }) => hash, pollMs: 2 * SECOND },
  )
  return (
    <Card>
      {pages.error !== undefined && <Failure error={pages.error} />}
      {pages.rows === undefined && pages.error === undefined && <Loading lines={8} />}
      {pages.rows?.length === 0 && <Empty icon="transaction">This account has had no transactions.</Empty>}
      {pages.rows !== undefined && pages.rows.length > 0 && (
        <TransactionRows transactions={pages.rows} hasAccount={false} />
      )}
      <LoadMore pages={pages} />
    </Card>
  )
}
