import { Card } from '../parts/Card.tsx'
import { Empty } from '../parts/states.tsx'

export const UnknownPage = ({ path }: { readonly path: string }) => (
  <Card>
    <Empty>
      There is no page at <code>{path}</code>. Press <kbd>/</kbd> to search.
    </Empty>
  </Card>
)

export const NeedsIndex = ({ what }: { readonly what: string }) => (
  <Card>
    <Empty icon="tree">{what} can be shown only by a server that keeps an index.</Empty>
  </Card>
)
