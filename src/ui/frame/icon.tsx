/** Line drawings on a grid of 20, in the colour of the text. A word always stands beside them. */
const PATHS = {
  inbox: 'M3 11h4l1.5 2.5h3L13 11h4M3 11v4.5h14V11L14.5 4.5h-9z',
  contracts: 'M5 3h7l3 3v11H5zM8 8.5h4M8 11.5h4M8 14.5h2.5',
  contract: 'M5 3h7l3 3v11H5zM8 8.5h4M8 11.5h4M8 14.5h2.5',
  map: 'M6 14.5a2 2 0 1 0-4 0a2 2 0 1 0 4 0M18 5.5a2 2 0 1 0-4 0a2 2 0 1 0 4 0M18 15a2 2 0 1 0-4 0a2 2 0 1 0 4 0M5.7 13.2L14.3 6.7M6 14.6L14 15',
  timeline: 'M6 3v14M6 6h9M6 10.5h6M6 15h8M6 6h.01',
  peers:
    'M10 6.5a2.5 2.5 0 1 0-5 0a2.5 2.5 0 1 0 5 0M3 16c0-3 2-4.5 4.5-4.5S12 13 12 16M12.5 4.2a2.5 2.5 0 0 1 0 4.6M14 11.8c1.9.5 3 1.9 3 4.2',
  runs: 'M6.5 4.5l8 5.5l-8 5.5z',
  search: 'M13.5 9a4.5 4.5 0 1 0-9 0a4.5 4.5 0 1 0 9 0M12.5 12.5L16.5 16.5',
  check: 'M4.5 10.5l3.5 3.5l7.5-8',
  change: 'M15.5 8A6 6 0 0 0 5 6.5M4.5 12A6 6 0 0 0 15 13.5M5 3v3.5h3.5M15 17v-3.5h-3.5',
  cross: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  dot: 'M11.5 10a1.5 1.5 0 1 0-3 0a1.5 1.5 0 1 0 3 0',
  question: 'M7 7.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M10 15.5h.01',
  warning: 'M10 3.5L17.5 16h-15zM10 8.5v3.5M10 14h.01',
  person: 'M13 6.5a3 3 0 1 0-6 0a3 3 0 1 0 6 0M4.5 17c0-3.5 2.3-5 5.5-5s5.5 1.5 5.5 5',
  agent: 'M5 7h10v8H5zM10 4v3M8 10.5h.01M12 10.5h.01M8.5 13h3',
  clock: 'M17 10a7 7 0 1 0-14 0a7 7 0 1 0 14 0M10 6v4.2l2.7 1.6',
  fork: 'M6 4v12M6 10c5 0 8-1 8-6M14 4l-2 2M14 4l2 2',
  key: 'M11 8.5a3.5 3.5 0 1 0-7 0a3.5 3.5 0 1 0 7 0M10 11l6.5 6M14 15l1.5-1.5',
  file: 'M5 3h7l3 3v11H5zM12 3v3h3',
  message: 'M3.5 4.5h13v9h-7l-4 3v-3h-2z',
  gear: 'M12.5 10a2.5 2.5 0 1 0-5 0a2.5 2.5 0 1 0 5 0M10 3v2.2M10 14.8V17M3 10h2.2M14.8 10H17M5 5l1.6 1.6M13.4 13.4L15 15M5 15l1.6-1.6M13.4 6.6L15 5',
  arrow: 'M4 10h11M11 6l4 4l-4 4',
  down: 'M5.5 8l4.5 4.5L14.5 8',
  right: 'M8 5.5l4.5 4.5L8 14.5',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  plus: 'M10 4.5v11M4.5 10h11',
  minus: 'M4.5 10h11',
  tilde: 'M4 11c1.5-3 3.5-3 6-1s4.5 2 6-1',
  link: 'M8.5 11.5l3-3M9 6.5l1.8-1.8a3 3 0 0 1 4.4 4.4L13.5 11M11 13.5l-1.8 1.8a3 3 0 0 1-4.4-4.4L6.5 9',
  hide: 'M3 10s2.5-4.5 7-4.5S17 10 17 10s-2.5 4.5-7 4.5S3 10 3 10M4 16L16 4',
  build: 'M12.5 4a3.5 3.5 0 0 0-3.3 4.7L4 14l2 2l5.3-5.2A3.5 3.5 0 0 0 16 6.5l-2.2 2.2l-2-.5l-.5-2L13.500 4z',
  flask:
    'M8 3.5h4M8.500 3.5v5L4.500 15a1.200 1.200 0 0 0 1 1.800h9a1.200 1.200 0 0 0 1-1.800L11.500 8.500v-5M6.500 12.500h7',
} as const satisfies Record<string, string>

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
