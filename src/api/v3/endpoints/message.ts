import { Type } from 'typebox'
import type { JsonObject } from '../../core/json/JsonValue.ts'
import { optional, param } from '../../core/Param.ts'
import { MissingArgumentError } from '../errors.ts'
import { passOn } from '../passOn.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { BocText, HashText } from '../views/scalars.ts'

export const message = v3Endpoint({
  name: 'message',
  methods: ['POST'],
  tags: ['legacy'],
  summary: 'Sends an external message, and tells the hashes by which it can be found later.',
  params: { boc: optional(param(BocText)) },
  result: Type.Object({ message_hash: HashText, message_hash_norm: HashText }, { $id: 'SendMessageResult' }),
  errors: ['unauthorized', 'live_interface_missing', 'live_interface_refused'],
  async handle(context, { boc }) {
    if (boc === undefined || boc === '') throw new MissingArgumentError('boc is required')
    const { hash, hash_norm } = (await passOn(context, 'sendBocReturnHash', { boc })) as JsonObject
    return { message_hash: hash as string, message_hash_norm: hash_norm as string }
  },
})
