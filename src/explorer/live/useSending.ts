import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'

export type Sending = {
  readonly submit: (event: TargetedSubmitEvent<HTMLFormElement>) => void
  readonly isSending: boolean
  readonly error: Error | undefined
}

/** A form that sends what its fields say, one thing at a time. What `send` throws is to be shown. */
export const useSending = (send: (read: (name: string) => string) => Promise<void>): Sending => {
  const [error, setError] = useState<Error>()
  const [isSending, setSending] = useState(false)
  const run = async (fields: FormData): Promise<void> => {
    setSending(true)
    setError(undefined)
    try {
      await send((name) => String(fields.get(name) ?? '').trim())
    } catch (failure) {
      setError(failure as Error)
    }
    setSending(false)
  }
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void run(new FormData(event.currentTarget))
  }
  return { submit, isSending, error }
}
