import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import { askControls } from '../fetch/askControls.ts'
import { findRawAddress } from '../model/Address.ts'
import { findAmount } from '../model/amounts.ts'
import { hashToHex } from '../model/Hash.ts'
import { Failure } from '../parts/states.tsx'
import { goTo } from '../route/useRoute.ts'
import { setup } from '../setup.ts'

/** Asks the faucet for coins, and goes to the trace of what it sent. */
export const FaucetForm = ({ to = '' }: { readonly to?: string | undefined }) => {
  const [address, setAddress] = useState(to)
  const [amount, setAmount] = useState('10')
  const [error, setError] = useState<Error>()
  const [isSending, setSending] = useState(false)
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const [raw, value] = [findRawAddress(address.trim()), findAmount(amount.trim())]
    if (raw === undefined) return setError(new Error('That is no address: one begins with EQ or UQ, or is like 0:….'))
    if (value === undefined || value === 0n) return setError(new Error('That is no amount.'))
    setSending(true)
    try {
      const { message_hash: hash } = await askControls('faucet', { address: raw, amount: String(value) })
      goTo({ page: 'trace', hash: hashToHex(hash) })
    } catch (failure) {
      setError(failure as Error)
      setSending(false)
    }
  }
  return (
    <form class="form" onSubmit={(event) => void send(event)}>
      <label>
        <span>To</span>
        <input
          name="address"
          class="mono"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="EQ… or 0:…"
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
      </label>
      <div class="form-row">
        <label>
          <span>Amount in {setup.unit}</span>
          <input
            name="amount"
            inputMode="decimal"
            required
            autocomplete="off"
            value={amount}
            onInput={(event) => setAmount(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button is-main" disabled={isSending}>
          {isSending ? 'Sending…' : 'Send coins'}
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
    </form>
  )
}
