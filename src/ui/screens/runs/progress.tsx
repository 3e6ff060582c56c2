/** How far something is, in a bar and in words. */
export function Progress({ percent }: { readonly percent: number }) {
  return (
    <p class="progress">
      <progress max={100} value={percent} aria-label="Progress" /> {percent} %
    </p>
  )
}
