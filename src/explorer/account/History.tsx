import type { ActionView } from '../../api/v3/views/ActionView.ts'
import { askV3 } from '../fetch/askV3.ts'
import { useAsk } from '../live/useAsk.ts'
import { usePages } from '../live/usePages.ts'
import { SECOND } from '../live/usePolling.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { Card } from '../parts/Card.tsx'
import { LoadMore } from '../parts/LoadMore.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'

const PAGE = 25

/** What happened to an account, what is about to happen first. */
export const History = ({ raw }: { readonly raw: string }) => {
  const pages = usePages(
    `history of ${raw}`,
    async (cursor, signal) => {
      const args = { account: raw, limit: PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await askV3('actions', args, signal)
      return { rows: result.actions, cursor: next }
    },
    { idOf: ({ action_id }) => action_id, pollMs: 2 * SECOND },
  )
  const pending = useAsk(
    `pending of ${raw}`,
    async (signal) => (await askV3('pendingActions', { account: raw }, signal)).result.actions,
    { pollMs: SECOND },
  )
  const coming = leaveOutKnown(pending.value ?? [], pages.rows ?? [])
  return (
    <Card>
      {pages.error !== undefined && <Failure error={pages.error} />}
      {pages.rows === undefined && pages.error === undefined && <Loading lines={8} />}
      {pages.rows?.length === 0 && coming.length === 0 && (
        <Empty icon="clock">Nothing has happened to this account yet.</Empty>
      )}
      <ul class="actions">
        {coming.map((action) => (
          <ActionRow key={action.action_id} action={action} self={raw} />
        ))}
        {pages.rows?.map((action) => (
          <ActionRow key={action.action_id} action={action} self={raw} />
        ))}
      </ul>
      <LoadMore pages={pages} />
    </Card>
  )
}

const leaveOutKnown = (pending: readonly ActionView[], known: readonly ActionView[]): ActionView[] => {
  const begun = new Set(known.map(({ trace_external_hash }) => trace_external_hash))
  return pending.filter(({ trace_external_hash }) => !begun.has(trace_external_hash))
}
