import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsEntry } from '../../../codec/content/dns.ts'
import { StackTooLargeError } from '../errors.ts'
import { toResolvedDomainView } from './dns.ts'

const textEntry = (serial: number, length: number): DnsEntry => ({
  category: new Uint8Array(32).fill(serial & 0xff),
  name: undefined,
  value: { kind: 'text', bytes: new Uint8Array(length).fill(97) },
})

const view = (count: number, length: number) =>
  toResolvedDomainView({
    kind: 'records',
    name: 'many.demo.',
    entries: Array.from({ length: count }, (_, serial) => textEntry(serial, length)),
  })

test('records are shown, but not if one long text comes in all of a thousand', () => {
  assert.equal(view(100, 1000).entries.length, 100)
  assert.throws(() => view(1024, 65_000), StackTooLargeError)
})
