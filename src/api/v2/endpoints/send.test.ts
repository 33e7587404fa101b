import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSingleBoc } from '../../../codec/cell/decodeBoc.ts'
import { readWhole } from '../../../codec/cell/wholeCell.ts'
import { readMessage } from '../../../codec/tlb/Message.ts'
import { fromBase64 } from '../../../primitives/base64.ts'
import { toSentMessageView } from './send.ts'

// The body inline, and the same with an import fee of 1.
const vectors = [
  [
    'te6cckEBAQEALgAAV4gBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AAAAAAA0MrY2N8iUWiZQ==',
    '8lTYmChbsTfFEtC3/MoVfXSbG5P5YdxuaXsCAPHemyA=',
  ],
  [
    'te6cckEBAQEALwAAWYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AgIAAAAANDK2NjfMV5sKI=',
    'esTphqu3TnXuLHQUzIiexYJbMMyjn0j1u0nv1VnggIU=',
  ],
] as const

test('messages that say the same have one hash, whatever hash they were sent with', () => {
  for (const [boc, hash] of vectors) {
    const root = decodeSingleBoc(fromBase64(boc))
    assert.deepEqual(toSentMessageView({ root, message: readWhole(root, readMessage, 'A message') }), {
      '@type': 'raw.extMessageInfo',
      hash,
      hash_norm: '3GKAYVQNNGMWd4IJJtcQmE2uLG0L0aR8rpcbu/emFP0=',
    })
  }
})
