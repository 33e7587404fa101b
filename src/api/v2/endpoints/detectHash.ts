import { ParseError } from '../../../primitives/errors.ts'
import { parseHash } from '../../../primitives/hash.ts'
import { param, shownAs, whenMissing } from '../../core/Param.ts'
import { HashParam, quote } from '../params.ts'
import { outOfRange, unreadable } from '../RefusedRequestError.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'
import { DetectedHashView, toDetectedHashView } from '../views/DetectedHashView.ts'

const empty = outOfRange('empty hash')

const DetectedHashParam = whenMissing(
  shownAs(
    param(HashParam.schema, (text): Uint8Array => {
      if (text === '') throw empty
      try {
        return parseHash(text.replaceAll(' ', '+'))
      } catch (error) {
        if (!(error instanceof ParseError)) throw error
        throw unreadable(`invalid hash: ${quote(text)}`)
      }
    }),
    HashParam.shown ?? HashParam.schema,
  ),
  empty,
)

export const detectHash = v2LocalEndpoint({
  name: 'detectHash',
  tags: ['utils'],
  summary: 'All forms of a hash.',
  params: { hash: DetectedHashParam },
  result: DetectedHashView,
  errors: [],
  handle: (_context, { hash }) => toDetectedHashView(hash),
})
