import { Type } from 'typebox'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import { AddressParam } from '../params.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'

export const unpackAddress = v2LocalEndpoint({
  name: 'unpackAddress',
  tags: ['utils'],
  summary: 'The raw form of an address.',
  params: { address: AddressParam },
  result: Type.String({ examples: ['0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'] }),
  errors: [],
  handle: (_context, { address }) => formatUpperRawAddress(address),
})
