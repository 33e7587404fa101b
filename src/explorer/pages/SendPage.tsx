import { useState } from 'preact/hooks'
import { askControls, askV2, askV3 } from '../fetch/requests.ts'
import { useAsk, useSending } from '../live/usePolling.ts'
import { friendlyOf } from '../model/addressBook.ts'
import { findBase64, findRawAddress, fromHex, hashToHex, toBase64 } from '../model/addresses.ts'
import { findAmount } from '../model/format.ts'
import { Card, Failure, Tabs } from '../parts/basics.tsx'
import { Hash } from '../parts/links.tsx'
import { goTo } from '../route/Link.tsx'
import { setup } from '../setup.ts'

/** Gives a message from outside to the network. */
const ExternalForm = () => {
  const [sent, setSent] = useState<string>()
  const { submit, isSending, error } = useSending(async (read) => {
    const boc = readBoc(read('boc'))
    if (boc === undefined) throw new Error('That is no bag of cells in base64 or hexadecimal.')
    const { hash } = await askV2('sendBocReturnHash', { boc })
    // Without an index there is no trace to look at.
    if (setup.hasIndex) goTo({ page: 'trace', hash: hashToHex(hash) })
    else setSent(hash)
  })
  return (
    <form class="form" onSubmit={submit}>
      <label>
        <span>Message</span>
        <textarea name="boc" class="mono" rows={7} required spellcheck={false} placeholder="te6cck… or b5ee9c72…" />
      </label>
      <div class="form-end">
        <button type="submit" class="button is-main" disabled={isSending}>
          {isSending ? 'Sending…' : 'Send'}
        </button>
      </div>
      {sent !== undefined && (
        <p role="status">
          The network has taken it: <Hash hash={sent} what="hash of the message" />
        </p>
      )}
      {error !== undefined && <Failure error={error} />}
    </form>
  )
}

const readBoc = (input: string): string | undefined => {
  const text = input.replaceAll(/\s/g, '')
  if (text === '') return undefined
  if (/^([0-9a-fA-F]{2})+$/.test(text)) return toBase64(fromHex(text))
  return findBase64(text) === undefined ? undefined : text
}

/** Sends an internal message as anybody, and goes to its trace. */
const InternalForm = () => {
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

type Kind = 'internal' | 'external'

export const SendPage = () => {
  const [kind, setKind] = useState<Kind>(setup.hasControls ? 'internal' : 'external')
  return (
    <div class="narrow stack">
      <header class="page-head">
        <h1>Send a message</h1>
        <p class="lead">
          {kind === 'internal'
            ? 'From any account to any other, without its key: this is an embedded network. What follows happens as it always does.'
            : 'A signed message from outside, as wallets make it: a bag of cells in base64 or hexadecimal.'}
        </p>
      </header>
      {setup.hasControls && (
        <Tabs
          label="Kind of message"
          current={kind}
          onChange={(key) => setKind(key)}
          tabs={[
            { key: 'internal', title: 'As an account' },
            { key: 'external', title: 'From outside' },
          ]}
        />
      )}
      <Card>{kind === 'internal' ? <InternalForm /> : <ExternalForm />}</Card>
    </div>
  )
}
