import { AddressParam } from '../params.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'
import { DetectedAddressView, toDetectedAddressView } from '../views/DetectedAddressView.ts'

export const detectAddress = v2LocalEndpoint({
  name: 'detectAddress',
  tags: ['utils'],
  summary: 'All forms of an address, and which of them was given.',
  params: { address: AddressParam },
  result: DetectedAddressView,
  errors: [],
  handle: (_context, { address }) => toDetectedAddressView(address),
})
