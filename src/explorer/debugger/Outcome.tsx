import { useMemo } from 'preact/hooks'
import type { ReplayView } from '../../api/debug/views.ts'
import { hashToHex, shorten } from '../model/addresses.ts'
import { readCellTree } from '../model/cellTree.ts'
import { formatTime, groupDigits } from '../model/format.ts'
import { explainSkip, nameMessage } from '../model/transactions.ts'
import { Amount } from '../parts/Amount.tsx'
import { Badge, Card, Empty, Facts, Icon, TableFrame, type Tone } from '../parts/basics.tsx'
import { CellTree } from '../parts/CellTree.tsx'
import { AddressLink, BlockLink, Hash } from '../parts/links.tsx'
import type { FindCell } from './Values.tsx'

type Verdict = ReplayView['verdict']

const verdicts: Record<Verdict['replay'], { readonly tone: Tone; readonly title: string; readonly about: string }> = {
  exact: {
    tone: 'good',
    title: 'exact',
    about: 'The replay made a transaction with the same hash as the one on chain.',
  },
  state_exact: {
    tone: 'warn',
    title: 'only the state is exact',
    about: 'The new account state is that on chain, but the transaction differs. Steps may differ from what happened.',
  },
  differs: {
    tone: 'bad',
    title: 'differs',
    about: 'The replay made another transaction than the one on chain. Steps below are not what happened on chain.',
  },
  partial: {
    tone: 'bad',
    title: 'partial',
    about: 'Inputs of the run are missing, and the result differs. Steps below are not what happened on chain.',
  },
  changed: {
    tone: 'warn',
    title: 'changed',
    about: 'Inputs were changed on purpose. Steps below never happened on chain.',
  },
}

export const VerdictBadge = ({ verdict }: { readonly verdict: Verdict }) => (
  <Badge tone={verdicts[verdict.replay].tone}>{verdicts[verdict.replay].title}</Badge>
)

const MAX_DIFFERENCES = 12

/** How exact the replay is: what a reader needs to know before the first step. */
export const VerdictCard = ({ replay: { verdict, inputs } }: { readonly replay: ReplayView }) => {
  const { tone, about } = verdicts[verdict.replay]
  const { differences, missing, warning, machine } = verdict
  const { block, previous_block: previous, libraries, replayed_before: earlier } = inputs
  return (
    <Card class="verdict">
      {tone !== 'good' && (
        <div class={`note is-${tone}`} role="alert">
          <Icon name="warning" />
          <p>
            This replay is not exact. {about}
            {missing.length > 0 && ` Missing: ${missing.join(', ').replaceAll('_', ' ')}.`}
          </p>
        </div>
      )}
      {warning !== undefined && (
        <div class="note is-warn" role="note">
          <Icon name="warning" />
          <p>{warning}</p>
        </div>
      )}
      {differences.length > 0 && (
        <Changes
          head={['Member', 'On chain', 'Replay']}
          rows={differences.slice(0, MAX_DIFFERENCES).map((each) => [each.member, each.chain, each.replay])}
        />
      )}
      <details class="body">
        <summary>
          Replay <VerdictBadge verdict={verdict} />
          <span class="verdict-about">{tone === 'good' && about}</span>
          <span class="verdict-inputs">Inputs</span>
        </summary>
        <Facts
          facts={[
            ['Block', <BlockLink id={block} />],
            ['State from', <BlockLink id={previous} />],
            [
              'Configuration',
              <BlockLink id={{ workchain: -1, shard: '8000000000000000', seqno: inputs.mc_block_seqno }} />,
            ],
            ['Global version', `${inputs.global_version} (machine: ${machine.global_version})`],
            libraries.length > 0 && ['Libraries', String(libraries.length)],
            ['Previous blocks', inputs.previous_blocks ? 'read by the code' : 'not read'],
            earlier.length > 0 && ['Run before', `${earlier.length} earlier transactions of the account in this block`],
          ]}
        />
      </details>
    </Card>
  )
}

type ChangesProps = {
  readonly head: readonly [string, string, string]
  readonly rows: readonly (readonly [name: string, before: string | null, after: string | null])[]
}

const Changes = ({ head, rows }: ChangesProps) => (
  <TableFrame label="Changes">
    <table class="table change-table">
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, before, after]) => (
          <tr key={name}>
            <td data-label={head[0]}>{name.replaceAll('_', ' ')}</td>
            <td class="mono" data-label={head[1]} title={before ?? undefined}>
              {formatMember(name, before)}
            </td>
            <td class="mono" data-label={head[2]} title={after ?? undefined}>
              {formatMember(name, after)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableFrame>
)

const amounts: ReadonlySet<string> = new Set(['balance', 'due_payment'])

const formatMember = (name: string, text: string | null) => {
  if (text === null) return <span class="muted">none</span>
  if (name === 'last_paid' && text !== '0') return formatTime(Number(text))
  if (amounts.has(name) && /^\d+$/.test(text)) return <Amount value={text} />
  if (/^\d{5,15}$/.test(text)) return groupDigits(text)
  return shorten(hashToHex(text), 12, 8)
}

type Jump = { onJump(step: number): void }

/** Why the transaction failed, and where. */
export const FailureNote = ({ replay: { failure }, onJump }: { readonly replay: ReplayView } & Jump) => {
  if (failure === undefined) return null
  const { phase, exit_code: exit, result_code: result, name, meaning, step, action } = failure
  const code = exit !== undefined ? `Exit code ${exit}` : result !== undefined ? `Result code ${result}` : 'Not run'
  return (
    <div class="note is-bad debug-failure" role="alert">
      <Icon name="warning" />
      <p>
        <strong>
          {code}
          {name !== `exit_${exit}` && `: ${name}`}
        </strong>{' '}
        – {meaning}. {phase === 'action' ? 'The action phase failed' : 'The compute phase failed'}
        {action !== undefined && ` at action ${action}`}
        {step !== undefined && (phase === 'action' ? `, queued by step ${step}` : ` at step ${step}`)}.
      </p>
      {step !== undefined && (
        <button type="button" class="button is-small" onClick={() => onJump(step)}>
          Go to step {groupDigits(step)}
        </button>
      )}
    </div>
  )
}

type Action = ReplayView['actions'][number]

const kinds: Record<Action['kind'], string> = {
  send: 'send message',
  reserve: 'reserve',
  set_code: 'set code',
  change_library: 'change library',
}

const hasActionFailed = ({ result_code: code }: Action): boolean => code !== undefined && code !== 0

/** The actions that the run queued, each with the step that queued it. */
export const ActionsCard = ({ actions, onJump }: { readonly actions: readonly Action[] } & Jump) => (
  <Card title="Out actions">
    {actions.length === 0 && <Empty icon="send">The run queued no actions.</Empty>}
    <ol class="list out-actions">
      {actions.map((action, index) => {
        const {
          kind,
          mode,
          value,
          message,
          destination = message?.destination,
          code_hash: code,
          skipped,
          step,
        } = action
        // A mode may add to the value that was queued, or replace it.
        const sent = message?.value ?? value
        return (
          <li key={index}>
            <span class="out-action">
              <span class="muted mono">{index}</span>
              <span class="op">{message === undefined ? kinds[kind] : nameMessage(message)}</span>
              {destination != null && <AddressLink raw={destination} />}
              {code !== undefined && <Hash hash={code} what="hash of the code" />}
              {sent !== undefined && <Amount value={sent} />}
              {mode !== undefined && <span class="muted small">mode {mode}</span>}
              {skipped && <Badge tone="warn">skipped</Badge>}
              {hasActionFailed(action) && <Badge tone="bad">failed: {action.result_code}</Badge>}
            </span>
            {step !== undefined && (
              <button type="button" class="button is-small" onClick={() => onJump(step)}>
                Step {groupDigits(step)}
              </button>
            )}
          </li>
        )
      })}
    </ol>
  </Card>
)

/** The account before and after. */
export const StateCard = ({ state, find }: { readonly state: ReplayView['state']; readonly find: FindCell }) => {
  const { before, after, changes } = state
  return (
    <Card title="Account before and after">
      {changes.length === 0 ? (
        <Empty icon="account">The transaction changed nothing in the account.</Empty>
      ) : (
        <Changes
          head={['Member', 'Before', 'After']}
          rows={changes.map((each) => [each.member, each.before, each.after])}
        />
      )}
      {before.data_hash !== after.data_hash && (
        <div class="facts-pair">
          <Storage title="Data before" hash={before.data_hash} other={after.data_hash} find={find} />
          <Storage title="Data after" hash={after.data_hash} other={before.data_hash} find={find} />
        </div>
      )}
    </Card>
  )
}

type StorageProps = {
  readonly title: string
  readonly hash: string | null
  readonly other: string | null
  readonly find: FindCell
}

/** A cell by its hash, read once. */
const useCell = (hash: string | null, find: FindCell) => {
  const boc = hash === null ? undefined : find(hash)
  return useMemo(() => (boc === undefined ? undefined : readCellTree(boc)), [boc])
}

const Storage = ({ title, hash, other, find }: StorageProps) => {
  const cell = useCell(hash, find)
  const otherCell = useCell(other, find)
  return (
    <div class="storage">
      <h3>{title}</h3>
      {hash === null ? <p class="muted">none</p> : <Hash hash={hash} what="hash of the data" />}
      {cell !== undefined && <CellTree root={cell} other={otherCell} />}
    </div>
  )
}

/** Where the coins went. */
export const MoneyCard = ({ money }: { readonly money: NonNullable<ReplayView['money']> }) => {
  const { before, in: incoming, out, fees, after } = money
  const kinds = (['storage', 'gas', 'action', 'forward', 'import'] as const).filter((kind) => fees[kind] !== '0')
  return (
    <Card title="Coins">
      <Facts
        facts={[
          ['Before', <Amount value={before} />],
          ['In', <Amount value={incoming} />],
          ['Out', <Amount value={out} />],
          ...kinds.map((kind) => [`Fee: ${kind}`, <Amount value={fees[kind]} />] as const),
          ['Fees', <Amount value={fees.total} />],
          ['After', <Amount value={after} />],
        ]}
      />
    </Card>
  )
}

export const Skipped = ({ reason }: { readonly reason: string }) => (
  <Card title="Instructions">
    <Empty icon="gauge">The contract did not run: {explainSkip(reason)}.</Empty>
  </Card>
)
