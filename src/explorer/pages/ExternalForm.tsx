import { useState } from 'preact/hooks'
import { askV2 } from '../fetch/askV2.ts'
import { useSending } from '../live/useSending.ts'
import { findBase64, fromHex, toBase64 } from '../model/bytes.ts'
import { hashToHex } from '../model/Hash.ts'
import { Hash } from '../parts/Hash.tsx'
import { Failure } from '../parts/states.tsx'
import { goTo } from '../route/useRoute.ts'
import { setup } from '../setup.ts'

/** Gives a message from outside to the network. */
export const ExternalForm = () => {
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
