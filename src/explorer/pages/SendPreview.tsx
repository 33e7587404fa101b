import type { TargetedEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { EmulationView } from '../../api/emulate/views.ts'
import { callEmulate, RequestError } from '../fetch/requests.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { Amount, JettonAmount } from '../parts/Amount.tsx'
import { Badge, Facts, Notice } from '../parts/basics.tsx'
import { AddressLink } from '../parts/links.tsx'
import { setup } from '../setup.ts'

const shown = () => ({
  with_actions: true,
  summary: true,
  include_address_book: setup.hasIndex,
  include_metadata: setup.hasIndex,
})

/** What an external-in message would do. */
export const emulateExternal = (boc: string): Promise<EmulationView> => callEmulate('emulateTrace', { boc, ...shown() })

type InternalMessage = {
  readonly source: string
  readonly destination: string
  readonly value: string
  readonly bounce: boolean
  readonly comment?: string
  readonly body?: string
}

/** What an internal message from anybody would do. */
export const emulateInternal = async ({ source, destination, ...rest }: InternalMessage): Promise<EmulationView> => {
  const message = { from: source, to: destination, ...rest }
  const { steps } = await callEmulate('simulate', { steps: [{ message }], ...shown() })
  const [step] = steps
  if (step?.ok !== true) throw new Error(step?.error ?? 'The message cannot be emulated.')
  return step.result as EmulationView
}

export type Preview = {
  readonly value: EmulationView | undefined
  readonly error: Error | undefined
  readonly isRunning: boolean
  /** After a field of the form was changed: incomplete forms have no preview. */
  change(event: TargetedEvent<HTMLFormElement>): void
  click(event: TargetedEvent<HTMLButtonElement>): void
}

/** Emulates the message of a form. */
export const usePreview = (run: (read: (name: string) => string) => Promise<EmulationView>): Preview => {
  const [state, setState] = useState<Pick<Preview, 'value' | 'error' | 'isRunning'>>({
    value: undefined,
    error: undefined,
    isRunning: false,
  })
  // An answer that comes after a later one is not shown.
  const latest = useRef(0)
  const start = async (form: HTMLFormElement): Promise<void> => {
    latest.current += 1
    const number = latest.current
    const fields = new FormData(form)
    setState((before) => ({ ...before, isRunning: true }))
    const finish = (next: Pick<Preview, 'value' | 'error'>): void => {
      if (number === latest.current) setState({ ...next, isRunning: false })
    }
    try {
      finish({ value: await run((name) => String(fields.get(name) ?? '').trim()), error: undefined })
    } catch (error) {
      finish({ value: undefined, error: error as Error })
    }
  }
  return {
    ...state,
    change: ({ currentTarget }) => {
      if (currentTarget.checkValidity()) void start(currentTarget)
    },
    click: ({ currentTarget }) => {
      const { form } = currentTarget
      if (form?.reportValidity() === true) void start(form)
    },
  }
}

/** What the message of a form will do: actions in words, balance changes, fees and failures. */
export const SendPreview = ({ preview: { value, error } }: { readonly preview: Preview }) => {
  if (error !== undefined) return <Notice>{describeRefusal(error)}</Notice>
  return value === undefined ? null : <Outcome emulation={value} />
}

const describeRefusal = (error: Error): string => {
  const [, exitCode] = /NotAccepted: (-?\d+)/.exec(error.message) ?? []
  if (exitCode !== undefined) return `The contract would not accept this message (exit code ${exitCode}).`
  if (error instanceof RequestError && error.status === 422) return 'The account would not accept this message.'
  return `No preview: ${error.message}`
}

type Action = EmulationView['actions'][number]

const Outcome = ({ emulation }: { readonly emulation: EmulationView }) => {
  const { actions, summary, is_incomplete: isIncomplete, transactions } = emulation
  if (summary === undefined) return null
  const { failed, fees, balance_changes: changes, new_contracts: fresh, bounced, risk } = summary
  const count = Object.keys(transactions).length
  return (
    <section class="preview" aria-label="What it will do">
      <h2>
        What it will do{' '}
        {failed.length > 0 ? (
          <Badge tone="bad">fails</Badge>
        ) : (
          <Badge tone={isIncomplete ? 'warn' : 'good'}>{isIncomplete ? 'incomplete' : 'succeeds'}</Badge>
        )}
      </h2>
      <ul class="actions">
        {actions.map((action) => (
          <ActionRow key={action.action_id} action={withoutTrace(action)} hasTime={false} />
        ))}
      </ul>
      {failed.map(({ tx, account, reason }) => (
        <p key={tx} class="preview-failed">
          <AddressLink raw={account} />: {reason}
        </p>
      ))}
      <table class="preview-changes">
        <caption>Balance changes</caption>
        <tbody>
          {Object.entries(changes).map(([account, { native, jettons = {}, nfts }]) => (
            <tr key={account}>
              <th scope="row">
                <AddressLink raw={account} />
              </th>
              <td>
                {native !== undefined && <Amount value={absolute(native)} sign={signOf(native)} />}
                {Object.entries(jettons).map(([jetton, amount]) => (
                  <JettonAmount key={jetton} value={absolute(amount)} jetton={jetton} sign={signOf(amount)} />
                ))}
                {nfts?.in.map((item) => (
                  <span key={item}>
                    +NFT <AddressLink raw={item} />
                  </span>
                ))}
                {nfts?.out.map((item) => (
                  <span key={item}>
                    −NFT <AddressLink raw={item} />
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Facts
        facts={[
          ['Transactions', String(count)],
          ['Fees', <Amount key="fees" value={fees.total} />],
          BigInt(bounced) > 0n && ['Bounced', <Amount key="bounced" value={bounced} />],
          fresh.length > 0 && ['New contracts', fresh.map((raw) => <AddressLink key={raw} raw={raw} />)],
          risk !== undefined && [
            'At risk',
            <span key="risk">
              <Amount value={risk.native} />
              {risk.sends_all && ' (the whole balance)'}
            </span>,
          ],
        ]}
      />
      <p class="hint">An estimate: it depends on the block that the message lands in.</p>
    </section>
  )
}

/** There is no trace to link to. */
const withoutTrace = ({ trace_external_hash: _hash, ...action }: Action): Action => ({
  ...action,
  trace_id: null,
  finality: 'finalized',
})

const absolute = (amount: string): string => amount.replace(/^-/, '')

const signOf = (amount: string): '+' | '−' => (amount.startsWith('-') ? '−' : '+')
