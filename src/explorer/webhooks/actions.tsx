import { useMemo, useRef, useState } from 'preact/hooks'
import type { Stream } from '../live/useStream.ts'
import { Badge, Card, CopyButton, Facts } from '../parts/basics.tsx'
import type { Attempt } from './callWebhooks.ts'

export type Actions = {
  /** The one that runs. */
  readonly running: string | undefined
  readonly error: Error | undefined
  run(name: string, work: () => Promise<void>): void
}

/** Buttons that do something, one at a time. Errors are shown. */
export const useActions = (): Actions => {
  const [running, setRunning] = useState<string>()
  const [error, setError] = useState<Error>()
  const run = async (name: string, work: () => Promise<void>): Promise<void> => {
    setRunning(name)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failure as Error)
    }
    setRunning(undefined)
  }
  return { running, error, run: (name, work) => void run(name, work) }
}

export type Refresh = {
  /** For requests that poll: they run at once when asked to. */
  readonly stream: Stream
  now(): void
}

/** Repeats the requests of a page at once, after it has changed something. */
export const useRefresh = (): Refresh => {
  const listeners = useRef(new Set<Parameters<Stream['listen']>[0]>()).current
  return useMemo(
    () => ({
      stream: {
        isAway: true,
        listen: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      now: () => {
        for (const listener of [...listeners]) listener('open')
      },
    }),
    [listeners],
  )
}

type ConfirmProps = {
  readonly title: string
  readonly question: string
  readonly isDisabled: boolean
  onConfirm(): void
}

/** A button that asks before it does what cannot be undone. */
export const ConfirmButton = ({ title, question, isDisabled, onConfirm }: ConfirmProps) => {
  const [isAsking, setAsking] = useState(false)
  const confirm = (): void => {
    setAsking(false)
    onConfirm()
  }
  if (!isAsking) {
    return (
      <button type="button" class="button is-small" disabled={isDisabled} onClick={() => setAsking(true)}>
        {title}
      </button>
    )
  }
  return (
    <fieldset class="confirm">
      <legend>{question}</legend>
      <button type="button" class="button is-small is-main" onClick={confirm}>
        Yes, {title.toLowerCase()}
      </button>
      <button type="button" class="button is-small" onClick={() => setAsking(false)}>
        No
      </button>
    </fieldset>
  )
}

type SecretProps = {
  readonly id: string
  readonly secret: string | undefined
  readonly publicKey: string | null
  readonly test?: Attempt
  onDone(): void
}

/** A new secret. It is kept nowhere: when the card is closed it is gone. */
export const SecretCard = ({ id, secret, publicKey, test, onDone }: SecretProps) => (
  <Card
    title={<span>Signing key of {id}</span>}
    aside={
      <button type="button" class="button is-small" onClick={onDone}>
        Done
      </button>
    }
  >
    <Facts
      facts={[
        secret !== undefined && [
          'Secret',
          <span key="secret" class="with-copy">
            <code class="whole" data-secret>
              {secret}
            </code>
            <CopyButton text={secret} what="secret" />
          </span>,
        ],
        publicKey !== null && ['Public key', <code key="public">{publicKey}</code>],
        test !== undefined && ['Test', <AttemptResult key="test" attempt={test} />],
      ]}
    />
    {secret !== undefined && (
      <p class="card-text bad">Store the secret now: it is shown only once. Your receiver checks signatures with it.</p>
    )}
  </Card>
)

/** How a receiver has answered. */
export const AttemptResult = ({ attempt }: { readonly attempt: Attempt }) => (
  <span class="attempt" role="status">
    <Badge tone={attempt.ok ? 'good' : 'bad'}>{attempt.status ?? 'no response'}</Badge>
    <span>{attempt.duration_ms} ms</span>
    {attempt.error !== null && <span class="bad">{attempt.error}</span>}
    {attempt.body !== '' && <code class="attempt-body">{attempt.body}</code>}
  </span>
)
