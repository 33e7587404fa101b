import { askControls } from '../fetch/askControls.ts'
import { askV3 } from '../fetch/askV3.ts'
import { useAsk } from '../live/useAsk.ts'
import { useSending } from '../live/useSending.ts'
import { findRawAddress } from '../model/Address.ts'
import { friendlyOf } from '../model/addressBook.ts'
import { findAmount } from '../model/amounts.ts'
import { hashToHex } from '../model/Hash.ts'
import { Failure } from '../parts/states.tsx'
import { goTo } from '../route/useRoute.ts'
import { setup } from '../setup.ts'

/** Sends an internal message as anybody, and goes to its trace. */
export const InternalForm = () => {
  const known = useAsk('accounts to send from', async (signal) => {
    if (!setup.hasIndex) return []
    const { result } = await askV3('topAccountsByBalance', { limit: 30 }, signal)
    await askV3('addressBook', { address: result.map(({ account }) => account) }, signal)
    return result.map(({ account }) => friendlyOf(account))
  })
  const { submit, isSending, error } = useSending(async (read) => {
    const { message_hash: hash } = await askControls('impersonate', readMessage(read))
    goTo({ page: 'trace', hash: hashToHex(hash) })
  })
  return (
    <form class="form" onSubmit={submit}>
      <AddressField name="source" title="From" />
      <AddressField name="destination" title="To" />
      <datalist id="known-accounts">
        {known.value?.map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
      <div class="form-row">
        <label>
          <span>Amount in {setup.unit}</span>
          <input name="value" inputMode="decimal" required autocomplete="off" value="1" />
        </label>
        <label class="form-check">
          <input name="bounce" type="checkbox" checked />
          <span>Comes back if it fails</span>
        </label>
      </div>
      <label>
        <span>Comment</span>
        <input name="comment" autocomplete="off" placeholder="none" />
      </label>
      <label>
        <span>or a body, as a bag of cells</span>
        <textarea name="body" class="mono" rows={3} spellcheck={false} placeholder="te6cck… or b5ee9c72…" />
      </label>
      <div class="form-end">
        <button type="submit" class="button is-main" disabled={isSending}>
          {isSending ? 'Sending…' : 'Send'}
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
    </form>
  )
}

const AddressField = ({ name, title }: { readonly name: string; readonly title: string }) => (
  <label>
    <span>{title}</span>
    <input
      name={name}
      class="mono"
      required
      list="known-accounts"
      autocomplete="off"
      spellcheck={false}
      placeholder="EQ… or 0:…"
    />
  </label>
)

const readMessage = (read: (name: string) => string) => {
  const [source, destination] = [findRawAddress(read('source')), findRawAddress(read('destination'))]
  if (source === undefined) throw new Error('The sender is no address.')
  if (destination === undefined) throw new Error('The receiver is no address.')
  const value = findAmount(read('value'))
  if (value === undefined) throw new Error('That is no amount.')
  const [comment, body] = [read('comment'), read('body')]
  return {
    source,
    destination,
    value: String(value),
    bounce: read('bounce') === 'on',
    ...(comment !== '' && { comment }),
    ...(body !== '' && { body }),
  }
}
