import { formatFriendlyAddress } from '../../../primitives/Address.ts'
import { AddressParam } from '../params.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'
import { FriendlyView } from '../views/scalars.ts'

export const packAddress = v2LocalEndpoint({
  name: 'packAddress',
  tags: ['utils'],
  summary: 'The user-friendly form of an address: with the flags that it has, or bounceable.',
  params: { address: AddressParam },
  result: FriendlyView,
  errors: [],
  handle: (_context, { address }) => formatFriendlyAddress(address, address.flags),
})
