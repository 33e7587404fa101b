import { useEffect } from 'preact/hooks'
import { RequestError } from '../fetch/requests.ts'
import { useSending } from '../live/usePolling.ts'
import { Card, Failure } from '../parts/basics.tsx'

export type Owner = { readonly key: string | undefined; onRefused(error: Error): void }

/** Asks for a key where the server wants one. */
export const useRefusal = ({ onRefused }: Owner, error: Error | undefined): void => {
  useEffect(() => {
    if (error instanceof RequestError && (error.status === 401 || error.status === 403)) onRefused(error)
  }, [error])
}

export const WebhooksHead = () => (
  <header class="page-head">
    <h1>Webhooks</h1>
    <p class="lead">Events of the chain, sent to a URL of yours: signed, at least once, and in order per account.</p>
  </header>
)

type KeyProps = { readonly error: Error | undefined; onKey(key: string): void }

/** Where the server wants a key. */
export const KeyPage = ({ error, onKey }: KeyProps) => {
  const { submit, error: invalid } = useSending(async (read) => {
    const key = read('key')
    if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('Not a valid API key: expected cc_….')
    onKey(key)
  })
  const shown = invalid ?? error
  return (
    <div class="narrow stack">
      <WebhooksHead />
      <Card>
        <form class="form" onSubmit={submit}>
          <p>Webhooks belong to the owner of an API key. This tab keeps it until it is closed.</p>
          <div class="form-row">
            <label>
              <span>API key</span>
              <input name="key" type="password" class="mono" required autocomplete="off" placeholder="cc_…" />
            </label>
            <button type="submit" class="button is-main">
              Continue
            </button>
          </div>
          {shown !== undefined && <Failure error={shown} />}
        </form>
      </Card>
    </div>
  )
}
