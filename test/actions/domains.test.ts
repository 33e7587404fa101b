import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyTrace } from '../../src/actions/classifyTrace.ts'
import { AccountFacts, type KnownAccount } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import {
  addressOf,
  body,
  buildTrace,
  cell,
  classifyOne,
  classifySteps,
  type Step,
  writeNamed,
} from '../support/actionTrace.ts'

const DNS_COLLECTION = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF'
const domain: KnownAccount = {
  nftItem: { index: 5n, collection: DNS_COLLECTION, owner: undefined, uri: undefined, codeHash: undefined },
}
const KEY = 'e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b'

const change = (key: string, value?: Cell): Cell =>
  body(0x4eb1f0f9, (w) => {
    w.writeUint64(1n).writeBytes(Buffer.from(key, 'hex'))
    if (value !== undefined) w.writeRef(value)
  })
const changed = (request: Cell, more: Partial<Step> = {}): Step => ({
  to: 'alice',
  sends: [{ to: 'domain', body: request, ...more }],
})
const common = {
  success: true,
  accounts: ['alice', 'domain'],
  transactions: ['alice.1', 'domain.1'],
  ancestors: [],
}
const who = { source: 'alice', asset: 'domain', nft_collection: DNS_COLLECTION }
const nothing = {
  dns_smc_address: null,
  dns_adnl_address: null,
  dns_text: null,
  dns_next_resolver_address: null,
  dns_storage_address: null,
  flags: null,
}
const bag = '0f'.repeat(32)
const bytes = (hex: string) => Buffer.from(hex, 'hex')

const records: readonly (readonly [string, Cell, object])[] = [
  [
    'DNSNextResolver',
    cell((w) => writeNamed(w.writeUint(0xba93, 16), 'resolver')),
    { dns_next_resolver_address: 'resolver' },
  ],
  [
    'DNSAdnlAddress',
    cell((w) => w.writeUint(0xad01, 16).writeBytes(bytes(bag)).writeUint(0, 8)),
    { dns_adnl_address: bag, flags: 0 },
  ],
  [
    'DNSSmcAddress',
    cell((w) => writeNamed(w.writeUint(0x9fd3, 16), 'bob').writeUint(1, 8)),
    { dns_smc_address: 'bob', flags: 1 },
  ],
  ['DNSStorageAddress', cell((w) => w.writeUint(0x7473, 16).writeBytes(bytes(bag))), { dns_storage_address: bag }],
  [
    'DNSText',
    cell((w) => w.writeUint(0x1eda, 16).writeUint(1, 8).writeUint(2, 8).writeBytes(Buffer.from('hi'))),
    { dns_storage_address: 'hi' },
  ],
  ['Unknown', cell((w) => w.writeUint(0x1234, 16)), {}],
]

for (const [kind, value, shown] of records) {
  test(`a domain with a new record: ${kind}`, () => {
    addressOf('resolver')
    assert.deepEqual(classifySteps(changed(change(KEY, value)), { domain }), [
      {
        type: 'change_dns',
        ...common,
        details: { key: KEY, value: { sum_type: kind, ...nothing, ...shown }, ...who },
      },
    ])
  })
}

test('a record that is taken away, and a domain that is kept', () => {
  assert.deepEqual(classifySteps(changed(change(KEY)), { domain }), [
    { type: 'delete_dns', ...common, details: { hash: KEY, ...who } },
  ])
  assert.deepEqual(classifySteps(changed(change('00'.repeat(32))), { domain }), [
    { type: 'renew_dns', ...common, details: who },
  ])
  const bounced = { aborted: true, sends: [{ to: 'alice', body: body(0xffffffff) }] }
  assert.deepEqual(classifySteps(changed(change(KEY), bounced), { domain }), [
    {
      type: 'delete_dns',
      ...common,
      success: false,
      transactions: ['alice.1', 'alice.2', 'domain.1'],
      details: { hash: KEY, ...who },
    },
  ])
})

test('a change of what is not known as an item: the trace is told plainly', () => {
  const trace = buildTrace(changed(change(KEY)))
  const { actions, hasFailed } = classifyTrace(trace, new AccountFacts(new Map()))
  assert.deepEqual([hasFailed, actions.map(({ type }) => type)], [true, ['call_contract']])
})

test('a domain whose auction is over', () => {
  const steps: Step = {
    to: 'alice',
    sends: [
      {
        to: 'domain',
        body: body(0x2fcb26a2, (w) => w.writeUint64(1n)),
        sends: [
          { to: DNS_COLLECTION, value: 900n, body: body(0x370fec51, (w) => w.writeUint64(8n)) },
          { to: 'alice', body: body(1) },
        ],
      },
    ],
  }
  assert.deepEqual(classifyOne('dns_purchase', steps, { domain }), {
    type: 'dns_purchase',
    success: true,
    accounts: [DNS_COLLECTION, 'alice', 'domain'],
    transactions: [`${DNS_COLLECTION}.1`, 'domain.1'],
    ancestors: [],
    details: {
      nft_collection: DNS_COLLECTION,
      nft_item: 'domain',
      new_owner: 'alice',
      nft_item_index: '5',
      price: '900',
      query_id: '8',
      payout_amount: '900',
    },
  })
})

test('a domain that nobody kept is released', () => {
  const release = (request: Cell, aborted: boolean): Step => changed(request, { value: 700n, aborted })
  const details = {
    query_id: '9',
    source: 'alice',
    nft_item: 'domain',
    nft_collection: DNS_COLLECTION,
    nft_item_index: '5',
    value: '700',
  }
  const full = body(0x4ed14b65, (w) => w.writeUint64(9n))
  assert.deepEqual(classifySteps(release(full, false), { domain })[0], { type: 'dns_release', ...common, details })
  const failed = classifyOne('dns_release', release(body(0x4ed14b65), true), { domain })
  assert.deepEqual(failed, { type: 'dns_release', ...common, success: false, details: { ...details, query_id: null } })
  const other = { nftItem: { ...domain.nftItem!, collection: undefined } }
  assert.deepEqual(
    classifySteps(release(full, false), { domain: other }).map(({ type }) => type),
    ['call_contract'],
  )
})
