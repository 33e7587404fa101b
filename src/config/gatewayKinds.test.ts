import assert from 'node:assert/strict'
import test from 'node:test'
import { plan, poolServer, rate, subnet } from './gatewayKinds.ts'
import type { Kind } from './Kind.ts'

const key = 'A'.repeat(43).concat('=')

test('rates, networks, plans and pools as text', () => {
  const fits = <T>(kind: Kind<T>, text: string, value: T, again = text): void => {
    assert.deepEqual(kind.parse([text]), value, text)
    assert.equal(kind.format(value), again)
  }
  fits(rate(), '5:20', { perSecond: 5, burst: 20 })
  fits(subnet(), '10.0.0.0/8', { address: '10.0.0.0', bits: 8 })
  fits(subnet(), '127.0.0.1', { address: '127.0.0.1', bits: 32 }, '127.0.0.1/32')
  fits(subnet(), 'fd00::/8', { address: 'fd00::', bits: 8 })
  fits(plan(), 'partner=200:400@fast', { name: 'partner', rate: { perSecond: 200, burst: 400 }, pool: 'fast' })
  fits(plan(), 'free=5', { name: 'free', rate: { perSecond: 5, burst: 5 }, pool: undefined })
  const server = { host: '1.2.3.4', port: 5, publicKey: new Uint8Array(32) }
  fits(poolServer(), `fast=1.2.3.4:5:${key}`, { pool: 'fast', server })
  const wrong: [kind: Kind<never>, texts: string[]][] = [
    [rate() as Kind<never>, ['', '0', 'x', '1:0']],
    [
      subnet() as Kind<never>,
      ['', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '1.2.3.4/', '1.2.3.4/8/8', 'fe80::1%a/64', 'x'],
    ],
    [plan() as Kind<never>, ['', 'a', 'a=', 'A=1', 'a=0', 'a=1@', 'a=1@B', 'a=1@b@c', 'a=1=2']],
    [poolServer() as Kind<never>, ['', `=1.2.3.4:5:${key}`, 'fast=', 'fast=1.2.3.4:5', `1.2.3.4:5:${key}`]],
  ]
  for (const [kind, texts] of wrong) for (const text of texts) assert.equal(kind.parse([text]), undefined, text)
  assert.equal(rate().parse(['1', '2']), undefined)
})
