import { Component, type ComponentType, type FunctionComponent, h } from 'preact'

/** A component that is drawn again only when one of its props is another value. */
export function memo<Props extends object>(Drawn: FunctionComponent<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof Props)[]
      return names.some((name) => next[name] !== (this.props as Props)[name])
    }

    override render() {
      return h(Drawn, this.props as Props)
    }
  }
}
