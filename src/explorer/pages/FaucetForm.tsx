import { askControls } from '../fetch/askControls.ts'
import { useSending } from '../live/useSending.ts'
import { findRawAddress } from '../model/Address.ts'
import { findAmount } from '../model/amounts.ts'
import { hashToHex } from '../model/Hash.ts'
import { Failure } from '../parts/states.tsx'
import { goTo } from '../route/useRoute.ts'
import { setup } from '../setup.ts'

/** Asks the faucet for coins, and goes to the trace of what it sent. */
export const FaucetForm = ({ to = '' }: { readonly to?: string | undefined }) => {
  const { submit, isSending, error } = useSending(async (read) => {
    const [address, amount] = [findRawAddress(read('address')), findAmount(read('amount'))]
    if (address === undefined) throw new Error('That is no address: one begins with EQ or UQ, or is like 0:….')
    if (amount === undefined || amount === 0n) throw new Error('That is no amount.')
    const { message_hash: hash } = await askControls('faucet', { address, amount: String(amount) })
    goTo({ page: 'trace', hash: hashToHex(hash) })
  })
  return (
    <form class="form" onSubmit={submit}>
      <label>
        <span>To</span>
        <input
          name="address"
          class="mono"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="EQ… or 0:…"
          defaultValue={to}
        />
      </label>
      <div class="form-row">
        <label>
          <span>Amount in {setup.unit}</span>
          <input name="amount" inputMode="decimal" required autocomplete="off" defaultValue="10" />
        </label>
        <button type="submit" class="button is-main" disabled={isSending}>
          {isSending ? 'Sending…' : 'Send coins'}
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
    </form>
  )
}
