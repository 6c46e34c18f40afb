import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import './page.css';

interface PageProps {
  /** Heading, and title of the browser's tab. */
  readonly title: string;
  /** One sentence about the page's purpose or state. */
  readonly lead?: ComponentChildren;
  /** Buttons for the whole page. */
  readonly actions?: ComponentChildren;
  /** The page above this one: a link above the heading. */
  readonly parent?: { readonly href: string; readonly label: string };
  readonly children: ComponentChildren;
}

let hasShownOne = false;

/** Frame of every page. After a link was followed, the heading gets the focus, so that a screen reader starts there. */
export function Page({ title, lead, actions, parent, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · itembridge`;
  }, [title]);
  useEffect(() => {
    if (hasShownOne) heading.current?.focus({ preventScroll: true });
    hasShownOne = true;
  }, []);
  return (
    <div class="page">
      {parent && (
        <a class="page-parent" href={parent.href}>
          <Icon name="back" />
          {parent.label}
        </a>
      )}
      <header class="page-head">
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="page-lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page with a heading of its own. */
export function Section({ title, lead, actions, children }: SectionProps) {
  return (
    <section class="section">
      <header class="section-head">
        <h2>{title}</h2>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {lead !== undefined && <p class="section-lead">{lead}</p>}
      {children}
    </section>
  );
}

/** A surface around things that belong together. */
export function Card({ children }: { readonly children: ComponentChildren }) {
  return <div class="card">{children}</div>;
}
