import { whenMissing } from '../../core/Param.ts'
import { findAddressKey } from '../addressTexts.ts'
import { readMetadata } from '../hydrate/readMetadata.ts'
import { textListParam } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { MetadataView } from '../views/MetadataView.ts'

export const metadata = v3Endpoint({
  name: 'metadata',
  tags: ['accounts'],
  summary: 'What tokens say of themselves. Addresses that are no tokens, or none at all, are left out.',
  params: {
    address: whenMissing(
      textListParam('Addresses in any form.', 1024),
      new RefusedRequestError('at least 1 address required'),
    ),
  },
  result: MetadataView,
  errors: [],
  handle: (context, { address }) =>
    readMetadata(
      context,
      address.flatMap((text) => findAddressKey(text) ?? []),
    ),
})
