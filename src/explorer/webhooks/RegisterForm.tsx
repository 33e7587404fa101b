import { useSending } from '../live/usePolling.ts'
import { findRawAddress } from '../model/addresses.ts'
import { Failure } from '../parts/basics.tsx'
import { type Created, createEndpoint } from './callWebhooks.ts'

const eventTypes = [
  ['transactions', 'Transactions'],
  ['actions', 'Actions'],
  ['account_state_change', 'Account states'],
  ['jettons_change', 'Jetton balances'],
  ['trace', 'Traces'],
  ['blocks', 'Blocks'],
] as const

/** Registers an endpoint; the server sends a test to it. */
export const RegisterForm = ({ onCreated }: { onCreated(created: Created): void }) => {
  const { submit, isSending, error } = useSending(async (read) => {
    const types = eventTypes.map(([type]) => type).filter((type) => read(`type-${type}`) === 'on')
    if (types.length === 0) throw new Error('Select at least one type of event.')
    const addresses = readAddresses(read('addresses'))
    if (addresses.length === 0 && types.some((type) => type !== 'blocks')) {
      throw new Error('Enter the addresses of at least one account. Only blocks need none.')
    }
    const description = read('description')
    const created = await createEndpoint({
      url: read('url'),
      subscription: { types, ...(addresses.length > 0 && { addresses }) },
      ordering: read('ordered') === 'on' ? 'account' : 'none',
      ...(description !== '' && { description }),
    })
    onCreated(created)
  })
  return (
    <form class="form" onSubmit={submit}>
      <label>
        <span>URL</span>
        <input
          name="url"
          type="url"
          class="mono"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="https://example.org/hook"
        />
      </label>
      <fieldset class="choices">
        <legend>Events</legend>
        {eventTypes.map(([type, title]) => (
          <label key={type} class="form-check">
            <input name={`type-${type}`} type="checkbox" defaultChecked={type === 'transactions'} />
            <span>{title}</span>
          </label>
        ))}
      </fieldset>
      <label>
        <span>Addresses</span>
        <textarea
          name="addresses"
          class="mono"
          rows={3}
          spellcheck={false}
          placeholder="EQ… or 0:…, one per line. All accounts: *"
        />
      </label>
      <label>
        <span>Description</span>
        <input name="description" maxLength={1000} autocomplete="off" placeholder="none" />
      </label>
      <div class="form-end">
        <label class="form-check">
          <input name="ordered" type="checkbox" defaultChecked />
          <span>In order per account</span>
        </label>
        <button type="submit" class="button is-main" disabled={isSending}>
          {isSending ? 'Testing…' : 'Register'}
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
    </form>
  )
}

const readAddresses = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const address = part === '*' ? part : findRawAddress(part)
      if (address === undefined) throw new Error(`"${part}" is not a valid address: expected EQ…, UQ… or 0:….`)
      return address
    })
