// The standard theme, with the fonts of the reader's system, and wider: reference pages are tables.
import './wide.css';

export { default } from 'vitepress/theme-without-fonts';
