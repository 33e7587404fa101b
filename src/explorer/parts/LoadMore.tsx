import type { Pages } from '../live/usePages.ts'

export const LoadMore = ({ pages }: { readonly pages: Pages<unknown> }) =>
  pages.hasMore ? (
    <div class="load-more">
      <button type="button" class="button" disabled={pages.isLoading} onClick={pages.more}>
        {pages.isLoading ? 'Loading…' : 'Older'}
      </button>
    </div>
  ) : null
