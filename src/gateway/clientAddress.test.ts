import assert from 'node:assert/strict'
import test from 'node:test'
import { createFindAddress, nameCaller } from './clientAddress.ts'

test('nobody is believed what he says of others, but proxies that are trusted', () => {
  const forged = { 'x-forwarded-for': '9.9.9.9', forwarded: 'for=8.8.8.8', 'x-real-ip': '7.7.7.7' }
  assert.equal(createFindAddress([])('127.0.0.1', forged), '127.0.0.1')
  assert.equal(createFindAddress([])('::ffff:1.2.3.4', {}), '1.2.3.4')
  const find = createFindAddress([
    { address: '10.0.0.0', bits: 8 },
    { address: 'fd00::', bits: 8 },
    { address: '127.0.0.1', bits: 32 },
  ])
  const cases: [remote: string, forwarded: string | undefined, address: string][] = [
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', '9.9.9.9', '9.9.9.9'],
    ['::ffff:10.1.1.1', '9.9.9.9', '9.9.9.9'],
    ['11.0.0.1', '9.9.9.9', '11.0.0.1'],
    // What the caller has put there himself is before what the proxy has added.
    ['10.0.0.1', '6.6.6.6, 9.9.9.9', '9.9.9.9'],
    ['10.0.0.1', '6.6.6.6,9.9.9.9, 10.2.2.2', '9.9.9.9'],
    ['10.0.0.1', '10.3.3.3', '10.3.3.3'],
    ['10.0.0.1', '9.9.9.9:1234', '9.9.9.9'],
    ['fd12::1', '[2001:db8::7]:443', '2001:db8::7'],
    ['fd12::1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', `fe80::1%${'a'.repeat(300)}`, '10.0.0.1'],
    ['10.0.0.1', '9.9.9.9, \u0000\u00ff, 10.2.2.2', '10.2.2.2'],
    ['10.0.0.1', '9.9.9.9,', '10.0.0.1'],
    ['', '9.9.9.9', ''],
  ]
  for (const [remote, forwarded, address] of cases) {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    assert.equal(find(remote, headers), address, `${remote} ${forwarded}`)
  }
  assert.equal(find('10.0.0.1', { 'x-forwarded-for': `9.9.9.9${', 10.0.0.1'.repeat(5000)}` }), '10.0.0.1')
})

test('callers are counted by their address, or by their network of version 6', () => {
  assert.equal(nameCaller('1.2.3.4'), '1.2.3.4')
  assert.equal(nameCaller('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::')
  assert.equal(nameCaller('2001:0db8:1:2::9'), '2001:db8:1:2::')
  assert.equal(nameCaller('2001:db8::9'), '2001:db8:0:0::')
  assert.equal(nameCaller('::1'), '0:0:0:0::')
  assert.equal(nameCaller('fe80::1%eth0'), 'fe80:0:0:0::')
})
