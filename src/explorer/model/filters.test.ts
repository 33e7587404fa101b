import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActionView } from '../../api/v3/views/actions.ts'
import { isFilteredHere, matchesAction, readFilters, typesOf, windowOf } from './filters.ts'

const [self, other, jetton] = ['11', '22', '33'].map((byte) => `0:${byte.repeat(32)}`) as [string, string, string]

const transfer = (source: string, destination: string, more: object = {}) =>
  ({
    type: 'jetton_transfer',
    success: true,
    details: { sender: source, receiver: destination, amount: '5', asset: jetton },
    ...more,
  }) as unknown as ActionView

test('filters are read from the address bar, and nonsense is left out', () => {
  const read = (text: string) => readFilters(new URLSearchParams(text))
  assert.deepEqual(read('dir=in&type=jettons&token=coin&result=failed&from=2026-01-02&to=2026-01-03'), {
    dir: 'in',
    type: 'jettons',
    token: 'coin',
    result: 'failed',
    from: '2026-01-02',
    to: '2026-01-03',
  })
  assert.deepEqual(read(`dir=up&type=none&token=x&result=1&from=yesterday&to=`), {})
  assert.deepEqual(read(`token=${jetton}`), { token: jetton })
})

test('days are a window of the interface, both included', () => {
  const { start_utime, end_utime } = windowOf({ from: '2026-01-02', to: '2026-01-02' })
  assert.equal(end_utime! - start_utime!, 86_399)
  assert.equal(new Date(1000 * start_utime!).getHours(), 0)
  assert.deepEqual(windowOf({ from: '2026-99-99' }), {})
})

test('types go to the interface, the rest is told from what an action shows', () => {
  assert.deepEqual(typesOf({ type: 'transfers' }), ['ton_transfer'])
  assert.equal(typesOf({}), undefined)
  assert.equal(isFilteredHere({ type: 'jettons', from: '2026-01-01' }), false)
  const [incoming, outgoing] = [transfer(other, self), transfer(self, other)]
  const pick = (filters: Parameters<typeof matchesAction>[0]) =>
    [incoming, outgoing, transfer(self, self), transfer(self, other, { success: false })].map((action) =>
      matchesAction(filters, action, self),
    )
  assert.deepEqual(pick({}), [true, true, true, true])
  assert.deepEqual(pick({ dir: 'in' }), [true, false, false, false])
  assert.deepEqual(pick({ dir: 'out' }), [false, true, false, true])
  assert.deepEqual(pick({ result: 'failed' }), [false, false, false, true])
  assert.deepEqual(pick({ token: jetton }), [true, true, true, true])
  assert.deepEqual(pick({ token: 'coin' }), [false, false, false, false])
})
