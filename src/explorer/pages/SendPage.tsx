import { useState } from 'preact/hooks'
import { callControls, callV2, callV3 } from '../fetch/requests.ts'
import { useRequest, useSending } from '../live/usePolling.ts'
import { friendlyOf } from '../model/addressBook.ts'
import { findBase64, findRawAddress, fromHex, hashToHex, toBase64 } from '../model/addresses.ts'
import { findAmount } from '../model/format.ts'
import { Card, Failure, Tabs } from '../parts/basics.tsx'
import { Hash } from '../parts/links.tsx'
import { goTo } from '../route/Link.tsx'
import { setup } from '../setup.ts'
import { emulateExternal, emulateInternal, SendPreview, usePreview } from './SendPreview.tsx'

/** Sends an external-in message. */
const ExternalForm = () => {
  const [sent, setSent] = useState<string>()
  const { submit, isSending, error } = useSending(async (read) => {
    const boc = expectBoc(read('boc'))
    const { hash } = await callV2('sendBocReturnHash', { boc })
    // Without an index there is no trace page.
    if (setup.hasIndex) goTo({ page: 'trace', hash: hashToHex(hash), isSent: true })
    else setSent(hash)
  })
  const preview = usePreview((read) => emulateExternal(expectBoc(read('boc'))))
  return (
    <form class="form" onSubmit={submit} onChange={preview.change}>
      <label>
        <span>Message</span>
        <textarea name="boc" class="mono" rows={7} required spellcheck={false} placeholder="te6cck… or b5ee9c72…" />
      </label>
      <SendPreview preview={preview} />
      <div class="form-end">
        <button type="button" class="button" disabled={preview.isRunning} onClick={preview.click}>
          {preview.isRunning ? 'Emulating…' : 'Preview'}
        </button>
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

const expectBoc = (input: string): string => {
  const boc = readBoc(input)
  if (boc === undefined) throw new Error('Not a valid bag of cells: expected base64 or hex.')
  return boc
}

const readBoc = (input: string): string | undefined => {
  const text = input.replaceAll(/\s/g, '')
  if (text === '') return undefined
  if (/^([0-9a-fA-F]{2})+$/.test(text)) return toBase64(fromHex(text))
  return findBase64(text) === undefined ? undefined : text
}

/** Sends an internal message from any address, and opens its trace. */
const InternalForm = () => {
  const known = useRequest('accounts to send from', async (signal) => {
    if (!setup.hasIndex) return []
    const { result } = await callV3('topAccountsByBalance', { limit: 30 }, signal)
    await callV3('addressBook', { address: result.map(({ account }) => account) }, signal)
    return result.map(({ account }) => friendlyOf(account))
  })
  const { submit, isSending, error } = useSending(async (read) => {
    const { message_hash: hash } = await callControls('impersonate', readMessage(read))
    goTo({ page: 'trace', hash: hashToHex(hash), isSent: true })
  })
  const preview = usePreview((read) => {
    const { body, ...message } = readMessage(read)
    return emulateInternal({ ...message, ...(body !== undefined && { body: expectBoc(body) }) })
  })
  return (
    <form class="form" onSubmit={submit} onChange={preview.change}>
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
          <span>Bounce</span>
        </label>
      </div>
      <label>
        <span>Comment</span>
        <input name="comment" autocomplete="off" placeholder="none" />
      </label>
      <label>
        <span>or a body (bag of cells)</span>
        <textarea name="body" class="mono" rows={3} spellcheck={false} placeholder="te6cck… or b5ee9c72…" />
      </label>
      <SendPreview preview={preview} />
      <div class="form-end">
        <button type="button" class="button" disabled={preview.isRunning} onClick={preview.click}>
          {preview.isRunning ? 'Emulating…' : 'Preview'}
        </button>
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
  if (source === undefined) throw new Error('The source is not a valid address.')
  if (destination === undefined) throw new Error('The destination is not a valid address.')
  const value = findAmount(read('value'))
  if (value === undefined) throw new Error('Not a valid amount: expected a decimal number.')
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
            ? 'An internal message from any account, without its key (embedded network only).'
            : 'A signed external-in message: a bag of cells in base64 or hex.'}
        </p>
      </header>
      {setup.hasControls && (
        <Tabs
          label="Message type"
          current={kind}
          onChange={(key) => setKind(key)}
          tabs={[
            { key: 'internal', title: 'Internal' },
            { key: 'external', title: 'External-in' },
          ]}
        />
      )}
      <Card>{kind === 'internal' ? <InternalForm /> : <ExternalForm />}</Card>
    </div>
  )
}
