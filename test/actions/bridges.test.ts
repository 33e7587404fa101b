import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import type { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { addressOf, body, cell, classifyOne, classifySteps, type Step, writeNamed } from '../support/actionTrace.ts'

const logged = (log: Cell): Step => ({
  to: 'alice',
  sends: [{ to: 'bridge', body: body(0x12345678), sends: [{ body: log }] }],
})

/** The bytes of a hash are 00, 01, 02 and so on. */
const counted = BigInt(`0x${Array.from({ length: 32 }, (_, k) => k.toString(16).padStart(2, '0')).join('')}`)
const reversed = Array.from({ length: 32 }, (_, k) => (31 - k).toString(16).padStart(2, '0')).join('')

test('bitcoin that came over, by the log alone', () => {
  const log = body(0x77a80ef3, (w) => writeNamed(w.writeCoins(900n), 'bob').writeUintWide(counted, 256))
  assert.deepEqual(classifyOne('tgbtc_mint_fallback', logged(log)), {
    type: 'tgbtc_mint_fallback',
    success: true,
    accounts: ['bob', 'bridge'],
    transactions: ['bridge.1'],
    ancestors: [],
    details: {
      source: 'bridge',
      destination: 'bob',
      amount: '900',
      asset: null,
      bitcoin_tx_id: reversed,
      destination_wallet: null,
    },
  })
})

test('bitcoin that goes over to a new key, by the log alone', () => {
  const log = body(0x27756729, (w) => writeNamed(w.writeCoins(700n).writeUintWide(counted, 256), 'pegout'))
  const pubkey = counted.toString(16)
  assert.deepEqual(classifyOne('tgbtc_new_key_fallback', logged(log)), {
    type: 'tgbtc_new_key_fallback',
    success: true,
    accounts: [pubkey, 'bridge', 'pegout'],
    transactions: ['bridge.1'],
    ancestors: [],
    details: { source: null, pubkey, coordinator: 'bridge', pegout: 'pegout', amount: '700', asset: null },
  })
})

test('a log that cannot be read is nothing', () => {
  assert.deepEqual(
    classifySteps(logged(body(0x77a80ef3, (w) => w.writeCoins(900n)))).map(({ type }) => type),
    ['call_contract'],
  )
})

test('a mint whose request is too far away is told by its log', () => {
  const log: Step = { body: body(0x77a80ef3, (w) => writeNamed(w.writeCoins(9n), 'bob').writeUintWide(1n, 256)) }
  const mint: Step = {
    to: 'master',
    body: body(0x642b7d07, (w) => writeNamed(w.writeUint64(1n), 'bob').writeCoins(0n)),
  }
  const tail: Step = { to: 'bridge', body: body(0xe42a879b), sends: [log, mint] }
  const chain = (steps: number): Step => {
    let step = tail
    for (let k = 0; k < steps; k++) step = { to: 'prover', body: body(0x498af388), sends: [step] }
    return { to: 'alice', sends: [{ to: 'bridge', body: body(0x3f781d24), sends: [step] }] }
  }
  assert.equal(classifyOne('tgbtc_mint', chain(19)).success, true)
  assert.equal(classifyOne('tgbtc_mint_fallback', chain(20)).success, true)
})

/** Objects of the bridge begin with a header that names them. */
const object = (name: string, write: (w: CellWriter) => void): Cell =>
  cell((w) => {
    w.writeBytes(new Uint8Array(Buffer.from(name.padStart(10, '\0'))))
    for (let k = 0; k < 270; k++) w.writeBit(true)
    write(w)
  })
const carried = (opcode: number, inner: Cell): Cell =>
  body(opcode, (w) => {
    writeNamed(w.writeUint64(1n).writeCoins(0n), 'alice').writeRef(cell((md) => md.writeRef(inner)))
  })

test('a verifier says how it went', () => {
  const verified = (status: number): Step => ({
    to: 'alice',
    sends: [
      {
        to: 'dvn',
        body: body(0xa0d51a8d),
        sends: [
          {
            to: 'proxy',
            body: body(0x09f047d9),
            sends: [
              {
                to: 'uln',
                body: body(0x994aaf4e),
                sends: [
                  {
                    to: 'connection',
                    body: body(0x4ec8f80a),
                    sends: [
                      {
                        to: 'proxy',
                        body: carried(
                          0x3cb38090,
                          object('veristatus', (w) => w.writeUint64(125n).writeUint(status, 32)),
                        ),
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  })
  const statuses: readonly (readonly [number, string])[] = [
    [0x3bbc306b, 'succeeded'],
    [0x7fcbb4ac, 'nonce_out_of_range'],
    [0x29c53fab, 'dvn_not_configured'],
    [7, 'unknown_7'],
  ]
  for (const [code, status] of statuses) {
    assert.deepEqual(classifyOne('layerzero_dvn_verify', verified(code)), {
      type: 'layerzero_dvn_verify',
      success: true,
      accounts: ['alice', 'connection', 'dvn', 'proxy', 'uln'],
      transactions: ['alice.1', 'connection.1', 'dvn.1', 'proxy.1', 'proxy.2', 'uln.1'],
      ancestors: [],
      details: {
        initiator: 'alice',
        nonce: 125,
        status,
        dvn: 'dvn',
        proxy: 'proxy',
        uln: 'uln',
        uln_connection: 'connection',
      },
    })
  }
})

test('a packet is received by the application that it is for', () => {
  const packet = (target: string): Cell =>
    object('Packet', (w) => {
      w.writeRef(
        object('path', (path) => {
          path.writeUint(30101, 32).writeUintWide(0xabcn, 256).writeUint(30343, 32)
          path.writeUintWide(BigInt(`0x${addressOf(target).slice(2)}`), 256)
        }),
      )
      w.writeRef(cell((message) => message.writeUint(0xabc, 12)))
        .writeUint64(4n)
        .writeUintWide(0xdefn, 256)
    })
  const received = (target: string): Step => ({
    to: 'alice',
    sends: [
      {
        to: 'channel',
        body: body(0x22f3ac09),
        sends: [
          {
            to: 'oapp',
            body: body(0x97df404c),
            sends: [
              {
                to: 'channel',
                body: body(0xb7680bc6),
                sends: [
                  {
                    to: 'oapp',
                    body: carried(0x0c7b8418, packet(target)),
                    sends: [{ to: 'channel', body: body(0xcaae25a1) }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  })
  assert.deepEqual(classifyOne('layerzero_receive', received('oapp')), {
    type: 'layerzero_receive',
    success: true,
    accounts: ['alice', 'channel', 'oapp'],
    transactions: ['alice.1', 'channel.1', 'channel.2', 'channel.3', 'oapp.1', 'oapp.2'],
    ancestors: [],
    details: {
      sender: 'alice',
      oapp: 'oapp',
      channel: 'channel',
      layerzero_packet_data: {
        src_oapp: '0xabc',
        dst_oapp: `0x${BigInt(`0x${addressOf('oapp').slice(2)}`).toString(16)}`,
        src_eid: 30101,
        dst_eid: 30343,
        nonce: 4,
        guid: '0xdef',
        message: '0xabc0',
      },
    },
  })
  assert.equal(
    classifySteps(received('another')).every(({ type }) => type === 'call_contract'),
    true,
  )
})
