import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceTimeoutError, StatesMissingError } from './checkRawBlock.ts'
import { withRetries } from './withRetries.ts'

const backoff = { firstMs: 4, maxMs: 16 }
const never = new AbortController().signal

const failing = (failures: number, error: Error) => {
  let tries = 0
  const work = async (): Promise<number> => {
    if (++tries <= failures) throw error
    return tries
  }
  return { work, count: () => tries }
}

test('what may pass is tried again, after waits that grow up to a bound', async () => {
  const waits: number[] = []
  const { work } = failing(6, new SourceTimeoutError('It was late.'))
  const onRetry = (failure: Error, tries: number, waitMs: number): void => {
    assert.equal(failure.message, 'It was late.')
    assert.equal(tries, waits.push(waitMs))
  }
  assert.equal(await withRetries(work, { signal: never, backoff, onRetry }), 7)
  assert.equal(waits.length, 6)
  const bounds = [4, 8, 16, 16, 16, 16]
  for (const [k, wait] of waits.entries())
    assert.ok(wait >= bounds[k]! / 2 && wait <= bounds[k]!, `${wait} at try ${k}`)
})

test('what cannot pass, what is no failure of ours and too many tries end at once', async () => {
  const onRetry = (): void => undefined
  for (const error of [new StatesMissingError('They are gone.'), new TypeError('a bug')]) {
    const { work, count } = failing(1, error)
    await assert.rejects(withRetries(work, { signal: never, backoff, onRetry }), error)
    assert.equal(count(), 1)
  }
  const late = new SourceTimeoutError('It was late.')
  const { work, count } = failing(10, late)
  await assert.rejects(withRetries(work, { signal: never, backoff, onRetry, maxTries: 3 }), late)
  assert.equal(count(), 3)
})

test('a signal ends the wait, and says why', async () => {
  const controller = new AbortController()
  const { work, count } = failing(10, new SourceTimeoutError('It was late.'))
  const reason = new Error('no longer wanted')
  const onRetry = (): void => void setTimeout(() => controller.abort(reason), 5)
  const slow = { firstMs: 60_000, maxMs: 60_000 }
  await assert.rejects(withRetries(work, { signal: controller.signal, backoff: slow, onRetry }), reason)
  assert.equal(count(), 1)
})
